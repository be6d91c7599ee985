package io.elanus.testkit;

import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;

class MemoryMetaStoreTest extends MetaStoreContract {
  @Override
  protected MetaStore open() {
    return new MemoryMetaStore(threads.clock(), threads.timers());
  }

  @Override
  protected boolean isPersistent() {
    return false;
  }
}
