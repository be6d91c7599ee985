/// Merging the answers of shards: best hits, smallest keys, fusion of several searches.
@NullMarked
package io.elanus.role.proxy.reduce;

import org.jspecify.annotations.NullMarked;
