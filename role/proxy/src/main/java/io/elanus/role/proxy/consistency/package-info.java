/// Consistency levels to guarantee timestamps, in this one place (C-02 to C-04).
@NullMarked
package io.elanus.role.proxy.consistency;

import org.jspecify.annotations.NullMarked;
