package io.elanus.testkit;

import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalBackend;

class MemoryWalTest extends WalBackendContract {
  @Override
  protected WalBackend open() {
    return new MemoryWal();
  }

  @Override
  protected boolean isPersistent() {
    return false;
  }
}
