package io.elanus.testkit;

import io.elanus.engine.storage.meta.MemoryMetaStore;
import io.elanus.engine.storage.meta.MetaStore;

class FaultyMetaStoreTest extends MetaStoreContract {
  @Override
  protected MetaStore open() {
    return new FaultyMetaStore(new MemoryMetaStore(threads.clock(), threads.timers()));
  }

  @Override
  protected boolean isPersistent() {
    return false;
  }
}
