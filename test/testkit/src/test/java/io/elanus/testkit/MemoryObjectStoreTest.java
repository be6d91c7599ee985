package io.elanus.testkit;

import io.elanus.engine.storage.object.MemoryObjectStore;
import io.elanus.engine.storage.object.ObjectStore;

class MemoryObjectStoreTest extends ObjectStoreContract {
  @Override
  protected ObjectStore open() {
    return new MemoryObjectStore();
  }

  @Override
  protected boolean isPersistent() {
    return false;
  }
}
