package io.elanus.engine.log;

import java.io.IOException;
import java.util.List;

/// One folder as the embedded log uses it: the seam behind which tests put a faulty disk.
///
/// Thread-safe: callable from any thread.
public interface LogFiles {
  /// The sub-folder `name`, made durable in this one when it has to be created.
  LogFiles folder(String name) throws IOException;

  /// Whole name, for messages.
  String describe(String name);

  /// Names of the files, in no particular order.
  List<String> names() throws IOException;

  /// A new, empty file; fails when the name is taken. The name is durable after [#forceFolder].
  LogFile create(String name) throws IOException;

  /// An existing file, for reading and writing.
  LogFile open(String name) throws IOException;

  /// Removes the name; handles that are open keep working.
  void delete(String name) throws IOException;

  /// Makes creations and deletions of names durable.
  void forceFolder() throws IOException;
}
