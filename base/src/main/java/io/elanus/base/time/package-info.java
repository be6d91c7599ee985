/// Clocks, timers, deadlines and the hybrid timestamp: the only places time comes from.
@NullMarked
package io.elanus.base.time;

import org.jspecify.annotations.NullMarked;
