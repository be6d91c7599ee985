package io.elanus.testkit;

import io.elanus.engine.log.EmbeddedWal;
import io.elanus.engine.log.EmbeddedWalOptions;
import io.elanus.engine.log.WalBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/// The contract on a real disk with ordinary segments.
class EmbeddedWalTest extends WalBackendContract {
  @TempDir Path folder;

  @Override
  protected WalBackend open() {
    return new EmbeddedWal(folder.resolve("wal"), threads, EmbeddedWalOptions.DEFAULT);
  }

  @Override
  protected boolean isPersistent() {
    return true;
  }
}
