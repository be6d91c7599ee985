package io.elanus.testkit;

import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.engine.storage.meta.RocksMetaStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class RocksMetaStoreTest extends MetaStoreContract {
  @TempDir Path folder;

  @Override
  protected MetaStore open() {
    return RocksMetaStore.open(folder.resolve("meta"), threads);
  }

  @Override
  protected boolean isPersistent() {
    return true;
  }
}
