/// Merges of sorted results: hits by score ([io.elanus.role.query.reduce.HitMerge]), rows by
/// primary key ([io.elanus.role.query.reduce.RowMerge]).
@NullMarked
package io.elanus.role.query.reduce;

import org.jspecify.annotations.NullMarked;
