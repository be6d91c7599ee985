/// Compaction: some segments and the deletes over them in, one segment out.
@NullMarked
package io.elanus.role.data.compaction;

import org.jspecify.annotations.NullMarked;
