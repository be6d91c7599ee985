package io.elanus.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.engine.storage.object.LocalObjectStore;
import io.elanus.engine.storage.object.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalObjectStoreTest extends ObjectStoreContract {
  @TempDir Path folder;

  @Override
  protected ObjectStore open() {
    return new LocalObjectStore(folder.resolve("objects"));
  }

  @Override
  protected boolean isPersistent() {
    return true;
  }

  private static List<Path> below(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(path -> !path.equals(folder)).toList();
    }
  }

  @Test
  void whatACrashLeftInTheTemporaryFolderIsRemoved() throws IOException {
    store.put("a", bytes("1"));
    Path temp = folder.resolve("objects/.tmp");
    Files.write(temp.resolve("17"), bytes("half of an object"));

    store.close();
    store = open();

    assertThat(below(temp)).isEmpty();
    assertThat(store.list("")).hasSize(1);
  }

  @Test
  void nothingIsLeftInTheTemporaryFolder() throws IOException {
    store.put("a/b", bytes("1"));
    store.putIfAbsent("a/b", bytes("1"));
    store.putIfAbsent("a/c", bytes("1"));

    assertThat(below(folder.resolve("objects/.tmp"))).isEmpty();
  }

  @Test
  void emptyFoldersAreRemoved() throws IOException {
    store.put("a/b/c", bytes("1"));
    store.put("a/d", bytes("1"));

    store.delete("a/b/c");

    assertThat(folder.resolve("objects/a/b")).doesNotExist();
    assertThat(folder.resolve("objects/a/d")).exists();
    store.delete("a/d");
    assertThat(folder.resolve("objects/a")).doesNotExist();
    assertThat(folder.resolve("objects/.tmp")).exists();
  }
}
