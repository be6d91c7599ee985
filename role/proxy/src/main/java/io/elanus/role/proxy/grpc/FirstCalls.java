package io.elanus.role.proxy.grpc;

import io.elanus.wire.proto.milvus.ConnectRequest;
import io.elanus.wire.proto.milvus.HasCollectionRequest;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc.MilvusServiceBlockingStub;
import io.elanus.wire.proto.milvus.ShowCollectionsRequest;
import io.grpc.Channel;

/// What an official client asks first, made as a client: it shows the JVM the classes of a served
/// call when a class archive is recorded.
public final class FirstCalls {
  private FirstCalls() {}

  public static void make(Channel channel) {
    MilvusServiceBlockingStub milvus = MilvusServiceGrpc.newBlockingStub(channel);
    milvus.connect(ConnectRequest.getDefaultInstance());
    milvus.showCollections(ShowCollectionsRequest.getDefaultInstance());
    milvus.hasCollection(HasCollectionRequest.newBuilder().setCollectionName("t").build());
  }
}
