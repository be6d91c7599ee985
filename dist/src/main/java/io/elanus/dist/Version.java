package io.elanus.dist;

import io.elanus.server.node.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/// Versions of the product, of the contract and of the JDK.
///
/// Immutable.
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "elanus " + BuildVersion.PRODUCT + " (Milvus contract " + BuildVersion.CONTRACT + ")",
      "JDK " + Runtime.version()
    };
  }
}
