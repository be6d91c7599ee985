package io.elanus.testkit;

import io.elanus.engine.log.MemoryWal;
import io.elanus.engine.log.WalBackend;

class FaultyWalTest extends WalBackendContract {
  @Override
  protected WalBackend open() {
    return new FaultyWal(new MemoryWal());
  }

  @Override
  protected boolean isPersistent() {
    return false;
  }
}
