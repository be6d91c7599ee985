package io.elanus.role.streaming;

import io.elanus.base.config.ConfigBinder;
import io.elanus.base.config.Settings;
import io.elanus.role.streaming.flush.FlushConfig;
import io.elanus.role.streaming.pchannel.SequencerConfig;
import io.elanus.role.streaming.shard.GrowingBudget;
import io.elanus.role.streaming.shard.SealConfig;
import io.elanus.role.streaming.tail.TailConfig;
import java.util.List;

/// Settings of a StreamingNode, one record a component.
///
/// Immutable.
public record StreamingConfig(
    SequencerConfig sequencer,
    SealConfig seal,
    GrowingBudget.Config growing,
    TailConfig tail,
    FlushConfig flush,
    RecoveryConfig recovery) {
  /// The records whose keys these are, for the reference page and the check of unknown keys.
  public static final List<Class<? extends Record>> RECORDS =
      List.of(
          SequencerConfig.class,
          SealConfig.class,
          GrowingBudget.Config.class,
          TailConfig.class,
          FlushConfig.class,
          RecoveryConfig.class);

  public static StreamingConfig bind(Settings settings) {
    return new StreamingConfig(
        ConfigBinder.bind(SequencerConfig.class, settings),
        ConfigBinder.bind(SealConfig.class, settings),
        ConfigBinder.bind(GrowingBudget.Config.class, settings),
        ConfigBinder.bind(TailConfig.class, settings),
        ConfigBinder.bind(FlushConfig.class, settings),
        ConfigBinder.bind(RecoveryConfig.class, settings));
  }

  public static StreamingConfig defaults() {
    return bind(Settings.EMPTY);
  }
}
