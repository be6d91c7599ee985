package io.elanus.role.proxy.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.wire.service.ReadRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuaranteeTsTest {
  private static final HybridTs NOW = HybridTs.of(1_000_000, 7);
  private static final long BOUNDED = HybridTs.of(995_000, 7).value();
  private static final long WRITTEN = HybridTs.of(900_000, 3).value();

  private final GuaranteeTs guarantees = new GuaranteeTs(Duration.ofSeconds(5));

  private static long value(String word) {
    return switch (word) {
      case "now" -> NOW.value();
      case "bounded" -> BOUNDED;
      case "written" -> WRITTEN;
      default -> Long.parseLong(word);
    };
  }

  /// useDefault, level asked, level of the collection, guarantee sent, iterator; then the
  /// guarantee, the read timestamp (`own` = each shard's) and whether a fresh timestamp is needed.
  @ParameterizedTest
  @CsvSource({
    // Rule C-02, the request's level counts.
    "false, STRONG, BOUNDED, 0, false, now, now, true",
    "false, BOUNDED, STRONG, 0, false, bounded, own, true",
    "false, BOUNDED, STRONG, written, false, bounded, own, true",
    "false, SESSION, STRONG, written, false, written, own, false",
    "false, EVENTUALLY, STRONG, 0, false, 1, own, false",
    "false, EVENTUALLY, STRONG, written, false, 1, own, false",
    "false, CUSTOMIZED, STRONG, written, false, written, written, false",
    // Rule C-03, the collection's level counts.
    "true, STRONG, STRONG, written, false, now, now, true",
    "true, STRONG, BOUNDED, 1, false, bounded, own, true",
    "true, EVENTUALLY, SESSION, written, false, written, own, false",
    "true, STRONG, EVENTUALLY, written, false, 1, own, false",
    "true, STRONG, CUSTOMIZED, written, false, written, written, false",
    "true, STRONG, CUSTOMIZED, 1, false, 1, own, false",
    // Rule C-03, markers of old clients.
    "false, STRONG, BOUNDED, 2, false, bounded, own, true",
    "false, STRONG, BOUNDED, 1, false, 1, own, false",
    "false, STRONG, BOUNDED, written, false, written, own, false",
    // Iterators fix their read timestamp with the first page.
    "true, STRONG, BOUNDED, 0, true, now, now, true",
    "false, BOUNDED, STRONG, 2, true, now, now, true",
    "true, STRONG, BOUNDED, written, true, written, written, false",
    "false, BOUNDED, STRONG, written, true, written, written, false"
  })
  void followsTheTable(
      boolean useDefault,
      ConsistencyLevel level,
      ConsistencyLevel collectionLevel,
      String sent,
      boolean iterator,
      String guarantee,
      String readTs,
      boolean needsNow) {
    Consistency asked = new Consistency(useDefault, level, value(sent));

    ReadRequest.Guarantee result =
        guarantees.guarantee(asked, collectionLevel, iterator, NOW, HybridTs.ZERO);

    assertThat(result.guaranteeTs().value()).isEqualTo(value(guarantee));
    assertThat(result.readTs())
        .isEqualTo(readTs.equals("own") ? null : new HybridTs(value(readTs)));
    assertThat(GuaranteeTs.needsNow(asked, collectionLevel, iterator)).isEqualTo(needsNow);
  }

  @Test
  void raisesTheGuaranteeToTheSchemaButNeverTheReadTimestamp() {
    HybridTs schemaTs = HybridTs.of(999_999, 0);
    Consistency page = new Consistency(true, ConsistencyLevel.STRONG, WRITTEN);
    Consistency eventually = new Consistency(false, ConsistencyLevel.EVENTUALLY, 0);

    ReadRequest.Guarantee iterator =
        guarantees.guarantee(page, ConsistencyLevel.BOUNDED, true, NOW, schemaTs);
    ReadRequest.Guarantee weak =
        guarantees.guarantee(eventually, ConsistencyLevel.BOUNDED, false, NOW, schemaTs);

    assertThat(iterator.guaranteeTs()).isEqualTo(schemaTs);
    assertThat(iterator.readTs()).isEqualTo(new HybridTs(WRITTEN));
    assertThat(weak.guaranteeTs()).isEqualTo(schemaTs);
    assertThat(weak.readTs()).isNull();
  }
}
