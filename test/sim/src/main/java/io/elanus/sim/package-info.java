/// A whole cluster in one thread, from one seed: the real roles on a virtual clock, with a network,
/// a log, metadata and objects that fail. See [io.elanus.sim.Simulation].
@NullMarked
package io.elanus.sim;

import org.jspecify.annotations.NullMarked;
