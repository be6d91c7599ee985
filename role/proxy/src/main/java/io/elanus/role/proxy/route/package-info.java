/// Which shard and which partition a row belongs to.
@NullMarked
package io.elanus.role.proxy.route;

import org.jspecify.annotations.NullMarked;
