package io.elanus.server.health;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a process shows of itself: the status page is made of it, and it is the JSON at
/// `/api/v1/_cluster/info`, member by member.
///
/// Immutable.
public record NodeState(
    Server server,
    List<Collection> collections,
    List<Channel> channels,
    List<Broadcast> broadcasts,
    List<Lock> locks) {
  public NodeState {
    collections = List.copyOf(collections);
    channels = List.copyOf(channels);
    broadcasts = List.copyOf(broadcasts);
    locks = List.copyOf(locks);
  }

  /// @param state `healthy`, or `abnormal: ` and why
  /// @param contract release of Milvus's contract that is spoken
  /// @param data folder of everything stored
  /// @param coordinatorTerm rises with each start of a coordinator
  public record Server(
      String state,
      String version,
      String contract,
      String clients,
      String data,
      long uptimeSeconds,
      long coordinatorTerm,
      Memory memory) {}

  /// Bytes; `resident` is of the whole process, null where the system doesn't tell.
  public record Memory(long heapUsed, long heapMax, @Nullable Long resident) {}

  /// @param load `not loaded`, `loading` or `loaded`
  /// @param loadedPercent 0 to 100
  /// @param rows as GetCollectionStatistics counts them: deleted rows count until a compaction
  public record Collection(
      String database,
      String name,
      String load,
      int loadedPercent,
      long rows,
      List<Index> indexes,
      int fields,
      int partitions,
      int shards) {
    public Collection {
      indexes = List.copyOf(indexes);
    }
  }

  /// @param state `unissued`, `in progress`, `finished` or `failed`
  public record Index(
      String name,
      String type,
      String state,
      long indexedRows,
      long totalRows,
      String failReason) {}

  /// A physical channel of the log; open when a node serves it.
  public record Channel(String name, boolean open) {}

  /// A DDL that is under way (rule B-42).
  ///
  /// @param keys what it holds, `DOMAIN:name`
  /// @param notAppended channels whose log does not have it yet
  /// @param notAcked channels that have not acknowledged it yet
  /// @param lastError empty when nothing failed
  public record Broadcast(
      long id,
      String type,
      long ageMs,
      List<String> keys,
      List<String> notAppended,
      List<String> notAcked,
      int appendAttempts,
      int callbackAttempts,
      String lastError) {}

  /// A resource that requests wait for, with the ids of those that hold it and of those that wait,
  /// first come first.
  public record Lock(String key, List<String> heldBy, List<String> waitedForBy) {}
}
