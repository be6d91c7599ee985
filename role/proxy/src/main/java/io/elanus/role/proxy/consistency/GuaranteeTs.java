package io.elanus.role.proxy.consistency;

import io.elanus.base.schema.ConsistencyLevel;
import io.elanus.base.time.HybridTs;
import io.elanus.role.proxy.api.Consistency;
import io.elanus.wire.service.ReadRequest;
import java.time.Duration;

/// What a client said about consistency, as a guarantee and a read timestamp (rules C-02 to C-05).
///
/// | level that counts | guarantee | read timestamp |
/// | --- | --- | --- |
/// | Strong | tMax | tMax |
/// | Bounded | tMax - gracefulTime | each shard's own |
/// | Session | as given by the client | each shard's own |
/// | Eventually | 1 | each shard's own |
/// | Customized | as given | as given |
/// | iterator, first page | tMax | tMax |
/// | iterator, later pages | as given | as given |
///
/// The guarantee, never the read timestamp, is raised to the collection's update timestamp.
///
/// Immutable.
public final class GuaranteeTs {
  /// Markers that old clients put in place of a timestamp.
  private static final long MARKER_STRONG = 0;

  private static final long MARKER_EVENTUALLY = 1;
  private static final long MARKER_BOUNDED = 2;

  private final Duration gracefulTime;

  /// `gracefulTime` is how old Bounded reads may be.
  public GuaranteeTs(Duration gracefulTime) {
    this.gracefulTime = gracefulTime;
  }

  /// What a read asks for, before the timestamp that it may need is known.
  private enum Want {
    NOW,
    BOUNDED,
    EVENTUALLY,
    GIVEN_AT_LEAST,
    GIVEN_EXACTLY
  }

  private static Want want(Consistency asked, ConsistencyLevel collectionLevel, boolean iterator) {
    long given = asked.guaranteeTimestamp();
    if (iterator) {
      boolean isTimestamp = Long.compareUnsigned(given, MARKER_BOUNDED) > 0;
      return isTimestamp ? Want.GIVEN_EXACTLY : Want.NOW;
    }
    if (asked.useDefault()) {
      return wantOf(collectionLevel);
    }
    if (asked.level() != ConsistencyLevel.STRONG) {
      return wantOf(asked.level());
    }
    if (given == MARKER_STRONG) {
      return Want.NOW;
    }
    if (given == MARKER_EVENTUALLY) {
      return Want.EVENTUALLY;
    }
    return given == MARKER_BOUNDED ? Want.BOUNDED : Want.GIVEN_AT_LEAST;
  }

  private static Want wantOf(ConsistencyLevel level) {
    return switch (level) {
      case STRONG -> Want.NOW;
      case SESSION -> Want.GIVEN_AT_LEAST;
      case BOUNDED -> Want.BOUNDED;
      case EVENTUALLY -> Want.EVENTUALLY;
      case CUSTOMIZED -> Want.GIVEN_EXACTLY;
    };
  }

  /// Whether [#guarantee] needs a fresh timestamp; when not, none has to be asked for.
  public static boolean needsNow(
      Consistency asked, ConsistencyLevel collectionLevel, boolean iterator) {
    return switch (want(asked, collectionLevel, iterator)) {
      case NOW, BOUNDED -> true;
      case EVENTUALLY, GIVEN_AT_LEAST, GIVEN_EXACTLY -> false;
    };
  }

  /// The guarantee of a read. `now` is the request's begin timestamp (any value when [#needsNow]
  /// said no); `schemaTs` the collection's update timestamp.
  public ReadRequest.Guarantee guarantee(
      Consistency asked,
      ConsistencyLevel collectionLevel,
      boolean iterator,
      HybridTs now,
      HybridTs schemaTs) {
    HybridTs given = new HybridTs(asked.guaranteeTimestamp());
    return switch (want(asked, collectionLevel, iterator)) {
      case NOW -> at(now, schemaTs);
      case BOUNDED -> atLeast(now.minusMs(gracefulTime.toMillis()), schemaTs);
      case EVENTUALLY -> atLeast(new HybridTs(1), schemaTs);
      case GIVEN_AT_LEAST -> atLeast(given, schemaTs);
      case GIVEN_EXACTLY ->
          Long.compareUnsigned(given.value(), MARKER_BOUNDED) > 0
              ? at(given, schemaTs)
              : atLeast(given, schemaTs);
    };
  }

  /// A read at exactly `readTs`, whatever the client said.
  public static ReadRequest.Guarantee at(HybridTs readTs, HybridTs schemaTs) {
    return new ReadRequest.Guarantee(HybridTs.max(readTs, schemaTs), readTs);
  }

  private static ReadRequest.Guarantee atLeast(HybridTs guarantee, HybridTs schemaTs) {
    return new ReadRequest.Guarantee(HybridTs.max(guarantee, schemaTs), null);
  }
}
