package io.elanus.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.server.health.NodeState.Broadcast;
import io.elanus.server.health.NodeState.Channel;
import io.elanus.server.health.NodeState.Collection;
import io.elanus.server.health.NodeState.Index;
import io.elanus.server.health.NodeState.Lock;
import io.elanus.server.health.NodeState.Memory;
import io.elanus.server.health.NodeState.Server;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StatusPageTest {
  private static final Server SERVER =
      new Server("healthy", "1.0", "2.6", "127.0.0.1:1", "data", 90_061, 3, new Memory(1, 2, null));

  private static Collection collection(String name) {
    return new Collection(
        "default",
        name,
        "loading",
        40,
        1_234,
        List.of(new Index("v", "HNSW", "in progress", 10, 20, "")),
        3,
        1,
        2);
  }

  private static String page(List<Collection> collections) {
    Broadcast stuck =
        new Broadcast(
            7, "DROP_COLLECTION", 90, List.of("DB_NAME:d"), List.of(), List.of("v1"), 1, 2, "full");
    Lock lock = new Lock("DB_NAME:d", List.of("request-1"), List.of("request-2", "request-3"));
    NodeState state =
        new NodeState(
            SERVER,
            collections,
            List.of(new Channel("dml_0", true)),
            List.of(stuck),
            List.of(lock));
    return new String(StatusPage.render(state).body(), StandardCharsets.UTF_8);
  }

  @Test
  void whatAnOperatorAsksFirstComesFirst() {
    assertThat(page(List.of(collection("c"))))
        .containsSubsequence(
            "healthy",
            "1 d 1 h",
            "default.c",
            "loading 40 %",
            "1234",
            "10 of 20 rows",
            "DROP_COLLECTION",
            "full",
            "held by request-1; waiting: request-2, request-3",
            "dml_0");
  }

  @Test
  void namesAreShownAndNotInterpreted() {
    assertThat(page(List.of(collection("<b>\"x\"&"))))
        .contains("&lt;b&gt;&quot;x&quot;&amp;")
        .doesNotContain("<b>");
  }

  @Test
  void aLongListIsCutAndSaysSo() {
    List<Collection> many = new ArrayList<>();
    for (int i = 0; i < StatusPage.SHOWN_COLLECTIONS + 7; i++) {
      many.add(collection("c" + i));
    }

    assertThat(page(many)).contains("and 7 more").doesNotContain("default.c506");
  }
}
