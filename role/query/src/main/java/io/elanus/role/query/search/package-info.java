/// A read over segments of this process, spread over idle cores: start at
/// [io.elanus.role.query.search.SegmentRead].
@NullMarked
package io.elanus.role.query.search;

import org.jspecify.annotations.NullMarked;
