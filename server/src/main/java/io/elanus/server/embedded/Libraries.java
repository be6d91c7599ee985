package io.elanus.server.embedded;

import io.elanus.server.node.StartupException;

/// Checks what a host program's class path decides for Elanus: a client library may bring an older
/// protobuf or gRPC that wins over ours, which would otherwise show as a missing class in the first
/// request.
///
/// Thread-safe: stateless.
final class Libraries {
  private Libraries() {}

  static void check() throws StartupException {
    try {
      // Generated code checks the protobuf runtime when it is initialized, generated stubs use
      // gRPC.
      for (String name :
          new String[] {
            "io.elanus.wire.proto.common.MsgBase", "io.elanus.wire.proto.milvus.MilvusServiceGrpc"
          }) {
        Class.forName(name);
      }
    } catch (LinkageError | ClassNotFoundException e) {
      throw new StartupException(
          "protobuf or gRPC on the class path is older than Elanus needs ("
              + e
              + "); import io.elanus:elanus-bom in dependencyManagement, before any other that"
              + " manages them",
          e);
    }
  }
}
