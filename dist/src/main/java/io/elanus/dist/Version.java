package io.elanus.dist;

import io.elanus.server.node.BuildVersion;

/// Versions of the product, of the contract and of the JDK.
final class Version {
  private Version() {}

  static String text() {
    return "elanus "
        + BuildVersion.PRODUCT
        + " (Milvus contract "
        + BuildVersion.CONTRACT
        + ")\nJDK "
        + Runtime.version();
  }
}
