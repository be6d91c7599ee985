package io.elanus.server.node;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.Clock;
import io.elanus.base.time.Deadline;
import io.elanus.role.coord.broadcast.LockView;
import io.elanus.role.coord.broadcast.TaskView;
import io.elanus.server.health.ManagementHandler;
import io.elanus.server.health.ManagementHandler.ComponentHealth;
import io.elanus.server.health.NodeState;
import io.elanus.server.health.NodeState.Broadcast;
import io.elanus.server.health.NodeState.Channel;
import io.elanus.server.health.NodeState.Collection;
import io.elanus.server.health.NodeState.Index;
import io.elanus.server.health.NodeState.Lock;
import io.elanus.server.health.NodeState.Memory;
import io.elanus.server.health.NodeState.Server;
import io.elanus.wire.meta.CollectionMeta;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DataCoordService.IndexStatus;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.QueryCoordService.LoadStatus;
import io.elanus.wire.status.WireStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// What the management port shows of a standalone process.
///
/// Thread-safe: asks thread-safe parts.
final class NodeStatus implements ManagementHandler.Sources {
  private static final List<String> ROLES =
      List.of("proxy", "coordinator", "streamingnode", "querynode", "datanode");
  private static final Path PROCESS_STATUS = Path.of("/proc/self/status");
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final StandaloneNode node;
  private final Roles roles;
  private final Clock clock;
  private final long startedNanos;

  NodeStatus(StandaloneNode node, Roles roles, Clock clock) {
    this.node = node;
    this.roles = roles;
    this.clock = clock;
    this.startedNanos = clock.nanoTime();
  }

  @Override
  public List<ComponentHealth> health() {
    String code = node.healthLine().getKey() ? "Healthy" : "Abnormal";
    return ROLES.stream().map(role -> new ComponentHealth(role, code)).toList();
  }

  @Override
  public CompletableFuture<NodeState> status() {
    CallContext context = new CallContext(Deadline.after(clock, ANSWER_WITHIN), "status page");
    List<CompletableFuture<Optional<Collection>>> asked = new ArrayList<>();
    for (CollectionMeta meta : roles.coordinator().catalogView().collections()) {
      asked.add(collection(context, meta));
    }
    CompletableFuture<List<TaskView>> tasks = roles.coordinator().broadcaster().tasks();
    CompletableFuture<List<LockView>> locks = roles.coordinator().broadcaster().contendedKeys();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenCombine(
            tasks.thenCombine(locks, Broadcasts::new),
            (_, broadcasts) ->
                new NodeState(
                    server(),
                    asked.stream().flatMap(answer -> answer.join().stream()).toList(),
                    channels(),
                    broadcasts.tasks().stream().map(NodeStatus::broadcast).toList(),
                    broadcasts.locks().stream().map(NodeStatus::lock).toList()));
  }

  private record Broadcasts(List<TaskView> tasks, List<LockView> locks) {}

  private static Broadcast broadcast(TaskView task) {
    return new Broadcast(
        task.id().value(),
        task.type().toString(),
        task.age().toMillis(),
        task.keys().stream().map(key -> key.domain() + ":" + key.key()).toList(),
        task.progress().notAppended().stream().map(VChannel::name).toList(),
        task.progress().notAcked().stream().map(VChannel::name).toList(),
        task.progress().appendAttempts(),
        task.progress().callbackAttempts(),
        task.progress().lastError());
  }

  private static Lock lock(LockView view) {
    return new Lock(view.key(), view.heldBy(), view.waitedForBy());
  }

  private Server server() {
    Map.Entry<Boolean, String> health = node.healthLine();
    return new Server(
        health.getKey() ? "healthy" : "abnormal: " + health.getValue(),
        BuildVersion.PRODUCT,
        BuildVersion.CONTRACT,
        node.address() + ":" + node.port(),
        node.dataFolder(),
        (clock.nanoTime() - startedNanos) / 1_000_000_000,
        roles.coordinator().term(),
        memory());
  }

  private static Memory memory() {
    Runtime runtime = Runtime.getRuntime();
    return new Memory(
        runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), resident());
  }

  /// From the line `VmRSS: 123456 kB`.
  private static @Nullable Long resident() {
    try {
      for (String line : Files.readAllLines(PROCESS_STATUS)) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException e) {
      return null; // Not Linux.
    }
    return null;
  }

  /// Nothing when it was dropped meanwhile.
  private CompletableFuture<Optional<Collection>> collection(
      CallContext context, CollectionMeta meta) {
    CompletableFuture<Long> rows =
        roles
            .coordinator()
            .dataCoord()
            .countRows(context, new DataCoordService.CountRows(meta.id(), null))
            .thenApply(DataCoordService.RowCount::rows);
    CompletableFuture<List<IndexStatus>> indexes =
        roles
            .coordinator()
            .dataCoord()
            .indexes(context, new DataCoordService.ListIndexes(meta.id()))
            .thenApply(DataCoordService.IndexList::indexes);
    CompletableFuture<LoadStatus> load =
        roles
            .coordinator()
            .queryCoord()
            .loadStatus(context, new QueryCoordService.FindLoad(meta.id(), List.of()));
    return CompletableFuture.allOf(rows, indexes, load)
        .thenApply(_ -> Optional.of(collection(meta, rows.join(), indexes.join(), load.join())))
        .exceptionallyCompose(failure -> {
          DbException error = WireStatus.classify(failure);
          return error.code() == ErrorCode.COLLECTION_NOT_FOUND
              ? CompletableFuture.completedFuture(Optional.empty())
              : CompletableFuture.failedFuture(error);
        });
  }

  private static Collection collection(
      CollectionMeta meta, long rows, List<IndexStatus> indexes, LoadStatus load) {
    return new Collection(
        meta.owner().databaseName(),
        meta.name(),
        switch (load.state()) {
          case NOT_LOADED -> "not loaded";
          case LOADING -> "loading";
          case LOADED -> "loaded";
        },
        load.progress(),
        rows,
        indexes.stream().map(NodeStatus::index).toList(),
        meta.schema().fields().size(),
        meta.partitions().size(),
        meta.shards());
  }

  private static Index index(IndexStatus status) {
    return new Index(
        status.index().name(),
        status.index().buildParams().getOrDefault("index_type", ""),
        switch (status.state()) {
          case 1 -> "unissued";
          case 2 -> "in progress";
          case 3 -> "finished";
          default -> "failed";
        },
        status.indexedRows(),
        status.totalRows(),
        status.failReason());
  }

  private List<Channel> channels() {
    return roles.coordinator().pchannels().stream()
        .map(pchannel ->
            new Channel(pchannel.name(), roles.coordinator().channelOwner(pchannel) != null))
        .toList();
  }
}
