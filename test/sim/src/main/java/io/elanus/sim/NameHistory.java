package io.elanus.sim;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.CollectionSchema;
import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.wire.service.CatalogService.FindCollection;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.status.WireStatus;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// One client's collection, made and dropped again and again: once a DDL is acknowledged, every
/// proxy knows it; one whose outcome is unknown happened or not, and stays so.
///
/// Confined to the thread of the simulation.
final class NameHistory {
  private enum State {
    ABSENT,
    PRESENT,
    /// A DDL failed: either way, until the next look.
    UNKNOWN
  }

  private final String name;
  private final Violations violations;
  private State state = State.ABSENT;

  NameHistory(String name, Violations violations) {
    this.name = name;
    this.violations = violations;
  }

  CompletableFuture<?> operate(Client client, Rng rng) {
    return switch (rng.nextInt(3)) {
      case 0 -> create(client);
      case 1 -> drop(client);
      default -> look(client);
    };
  }

  private CompletableFuture<?> create(Client client) {
    State before = state;
    state = State.UNKNOWN;
    return client
        .proxy()
        .ddl(client.context(), creation(name))
        .whenComplete((_, failure) -> {
          if (failure == null) {
            state = State.PRESENT;
          } else if (before == State.PRESENT && isKnownRefusal(failure)) {
            state = before;
          }
        });
  }

  private CompletableFuture<?> drop(Client client) {
    state = State.UNKNOWN;
    return client
        .proxy()
        .ddl(client.context(), new DdlRequest.DropCollection(Client.DATABASE, name))
        .thenRun(() -> state = State.ABSENT);
  }

  private static boolean isKnownRefusal(Throwable failure) {
    return WireStatus.classify(failure).code() == ErrorCode.PARAMETER_INVALID;
  }

  /// Where the state isn't known, what is seen isn't kept: an append that is still under way may
  /// change it after.
  private CompletableFuture<?> look(Client client) {
    State before = state;
    return client
        .proxy()
        .collection(client.context(), FindCollection.byName(Client.DATABASE, name))
        .handle((_, failure) -> {
          if (failure == null) {
            check(before, State.PRESENT);
            return true;
          }
          DbException error = WireStatus.classify(failure);
          if (error.code() != ErrorCode.COLLECTION_NOT_FOUND) {
            throw error;
          }
          check(before, State.ABSENT);
          return false;
        });
  }

  private void check(State expected, State seen) {
    if (state == expected && expected != State.UNKNOWN && expected != seen) {
      violations.report("collection " + name + " is " + seen + ", was acknowledged as " + expected);
    }
  }

  CompletableFuture<?> settle(Client client) {
    return look(client);
  }

  static DdlRequest creation(String collection) {
    FieldSchema.Flags key = new FieldSchema.Flags(true, false, false, false, false, false, false);
    CollectionSchema schema =
        new CollectionSchema(
            collection,
            "",
            false,
            0,
            List.of(
                FieldSchema.of(0, "id", DataType.INT64).withFlags(key),
                FieldSchema.of(0, "value", DataType.INT64),
                FieldSchema.of(0, "v", DataType.FLOAT_VECTOR).withTypeParams(Map.of("dim", "2"))));
    return new DdlRequest.CreateCollection(
        Client.DATABASE,
        schema,
        2,
        0,
        new DdlRequest.CreateCollection.Options(ConsistencyLevel.BOUNDED, Map.of()));
  }
}
