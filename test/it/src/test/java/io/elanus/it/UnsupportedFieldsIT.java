package io.elanus.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.server.embedded.ElanusExtension;
import io.elanus.wire.proto.common.Status;
import io.elanus.wire.proto.milvus.HybridSearchRequest;
import io.elanus.wire.proto.milvus.InsertRequest;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.QueryRequest;
import io.elanus.wire.proto.milvus.SearchRequest;
import io.elanus.wire.proto.milvus.UpsertRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Request fields that SDKs seldom set: what would change the answer and isn't there is refused.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnsupportedFieldsIT {
  @RegisterExtension static final ElanusExtension db = new ElanusExtension();

  @Test
  void namespacesAreRefused() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", URI.create(db.uri()).getPort())
            .usePlaintext()
            .build();
    try {
      MilvusServiceGrpc.MilvusServiceBlockingStub stub = MilvusServiceGrpc.newBlockingStub(channel);
      String name = "tenant";

      List<Status> answers =
          List.of(
              stub.insert(InsertRequest.newBuilder().setNamespace(name).build()).getStatus(),
              stub.upsert(UpsertRequest.newBuilder().setNamespace(name).build()).getStatus(),
              stub.search(SearchRequest.newBuilder().setNamespace(name).build()).getStatus(),
              stub.hybridSearch(HybridSearchRequest.newBuilder().setNamespace(name).build())
                  .getStatus(),
              stub.query(QueryRequest.newBuilder().setNamespace(name).build()).getStatus());

      assertThat(answers)
          .allSatisfy(status -> {
            assertThat(status.getCode()).isEqualTo(1100);
            assertThat(status.getReason()).contains("namespaces are not supported yet");
          });
    } finally {
      channel.shutdownNow();
    }
  }
}
