package io.elanus.testkit;

import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.log.WalBackend;

/// The contract with segments of a few records, on the faulty disk at its best behaviour.
class EmbeddedWalSmallSegmentsTest extends WalBackendContract {
  private final FaultyFiles files = new FaultyFiles();

  @Override
  protected WalBackend open() {
    return new EmbeddedWal(files, threads, EmbeddedWalOptions.DEFAULT.withSegmentBytes(300));
  }

  @Override
  protected boolean isPersistent() {
    return true;
  }
}
