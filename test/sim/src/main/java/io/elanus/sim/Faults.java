package io.elanus.sim;

import io.elanus.base.random.Rng;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What goes wrong, as the seed has it: processes end or pause, machines lose each other or the
/// stores, messages crawl, clocks jump.
///
/// Confined to the thread of the simulation.
final class Faults {
  private static final int MEAN_PAUSE_MS = 900;

  private final SimScheduler scheduler;
  private final SimNetwork network;
  private final SimCluster cluster;
  private final Rng rng;
  private int injected;
  private boolean over;

  Faults(SimScheduler scheduler, SimNetwork network, SimCluster cluster, Rng rng) {
    this.scheduler = scheduler;
    this.network = network;
    this.cluster = cluster;
    this.rng = rng;
  }

  int injected() {
    return injected;
  }

  void start() {
    scheduler.after(millis(MEAN_PAUSE_MS), this::next);
  }

  /// Nothing goes wrong any more, and what did is mended.
  void stop() {
    over = true;
    network.heal();
    for (String place : cluster.places()) {
      SimMachine machine = cluster.machine(place);
      if (machine != null && machine.isPaused()) {
        machine.resume();
      }
    }
  }

  private long millis(int mean) {
    return (long) (-Math.log(1 - rng.nextDouble()) * mean * 1_000_000);
  }

  private void next() {
    if (over) {
      return;
    }
    injected++;
    switch (rng.nextInt(10)) {
      case 0, 1, 2, 3 -> cluster.crash(place());
      case 4, 5 -> pause();
      case 6 -> cutPeers();
      case 7 -> cutFromMetadata();
      case 8 -> crawl();
      default -> jump();
    }
    scheduler.after(millis(MEAN_PAUSE_MS), this::next);
  }

  private String place() {
    List<String> places = cluster.places();
    return places.get(rng.nextInt(places.size()));
  }

  private @Nullable SimMachine machine() {
    return cluster.machine(place());
  }

  private void pause() {
    SimMachine machine = machine();
    if (machine == null || machine.isPaused()) {
      return;
    }
    machine.pause();
    scheduler.after(millis(2_500), machine::resume);
  }

  private void cutPeers() {
    SimMachine one = machine();
    SimMachine other = machine();
    if (one != null && other != null && one != other) {
      network.cut(one.name(), other.name());
      scheduler.after(millis(2_000), network::heal);
    }
  }

  private void cutFromMetadata() {
    SimMachine machine = machine();
    if (machine != null) {
      network.cut(machine.name(), SimMetaStore.HOST);
      scheduler.after(millis(2_000), network::heal);
    }
  }

  private void crawl() {
    network.slowDown();
    scheduler.after(millis(800), network::heal);
  }

  private void jump() {
    cluster.jumpClock(place(), rng.nextInt(10_000) - 5_000L);
  }
}
