/// A read over segments of this process, spread over idle cores: start at [SegmentSearch] and
/// [SegmentScan].
@NullMarked
package io.elanus.role.query.search;

import org.jspecify.annotations.NullMarked;
