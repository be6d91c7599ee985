/// Threads as injected seams: serial loops, bounded pools, structured forks.
@NullMarked
package io.elanus.base.loop;

import org.jspecify.annotations.NullMarked;
