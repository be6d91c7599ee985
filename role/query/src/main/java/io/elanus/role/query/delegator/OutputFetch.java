package io.elanus.role.query.delegator;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.NodeId;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.query.search.Outputs;
import io.elanus.role.query.search.Target;
import io.elanus.wire.service.QueryNodeService.FetchRows;
import io.elanus.wire.service.QueryNodeService.FetchedRows;
import io.elanus.wire.service.QueryNodeService.RowRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Reads output fields of winners: those of this process in place, those of other nodes by one call
/// a node (late materialisation).
///
/// Confined to the read that made it.
final class OutputFetch {
  /// What another node answered about: `refs[i]` locates its row `i`.
  record Remote(NodeId node, RowRef[] refs) {}

  private final ShardRead read;
  private final List<FieldId> ids;
  private final List<FieldSchema> fields;
  private final List<Target> local;
  private final List<Remote> remote;

  OutputFetch(ShardRead read, List<FieldId> ids, List<Target> local, List<Remote> remote) {
    this.read = read;
    this.ids = ids;
    this.fields = Outputs.fields(read.view().schema().schema(), ids);
    this.local = local;
    this.remote = remote;
  }

  /// Gives the fields of rows to `then`; sources count the local targets first, then the nodes.
  void fetch(int[] sources, int[] rows, Consumer<ColumnBatch> then) {
    List<Outputs.Place> places = new ArrayList<>(local.size() + remote.size());
    for (Target target : local) {
      places.add(Outputs.Place.of(target.segment()));
    }
    if (remote.isEmpty() || fields.isEmpty()) {
      remote.forEach(r -> places.add(OutputFetch::nothing));
      then.accept(Outputs.fetch(fields, sources, rows, places));
      return;
    }
    int[] moved = rows.clone();
    List<CompletableFuture<FetchedRows>> calls = new ArrayList<>();
    for (int i = 0; i < remote.size(); i++) {
      calls.add(call(remote.get(i), local.size() + i, sources, moved));
    }
    CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
        .whenComplete((done, thrown) -> {
          if (thrown != null) {
            read.end(null, thrown.getCause() == null ? thrown : thrown.getCause());
          } else {
            read.onPool(() -> assemble(sources, moved, places, calls, then));
          }
        });
  }

  private static io.elanus.engine.segment.Segment.FieldReader nothing(FieldSchema field) {
    throw new IllegalStateException("no rows were asked for");
  }

  private CompletableFuture<FetchedRows> call(Remote from, int source, int[] sources, int[] rows) {
    List<RowRef> refs = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      if (sources[i] == source) {
        refs.add(from.refs[rows[i]]);
        rows[i] = refs.size() - 1;
      }
    }
    if (refs.isEmpty()) {
      return CompletableFuture.completedFuture(new FetchedRows(ColumnBatch.EMPTY));
    }
    return read.shard()
        .deps()
        .nodes()
        .node(from.node)
        .fetch(read.context(), new FetchRows(refs.toArray(new RowRef[0]), ids));
  }

  private void assemble(
      int[] sources,
      int[] rows,
      List<Outputs.Place> places,
      List<CompletableFuture<FetchedRows>> calls,
      Consumer<ColumnBatch> then) {
    try {
      for (CompletableFuture<FetchedRows> call : calls) {
        ColumnBatch batch = call.join().fields();
        places.add(field -> readerOf(batch, field));
      }
      then.accept(Outputs.fetch(fields, sources, rows, places));
    } catch (RuntimeException | Error e) {
      read.end(null, e);
    }
  }

  private static io.elanus.engine.segment.Segment.FieldReader readerOf(
      ColumnBatch batch, FieldSchema field) {
    Column column = batch.column(field.id());
    if (column == null) {
      throw DbException.described(
          ErrorCode.SERVICE_INTERNAL, "a node did not answer field " + field.name());
    }
    return (row, to) -> to.addFrom(column, row);
  }
}
