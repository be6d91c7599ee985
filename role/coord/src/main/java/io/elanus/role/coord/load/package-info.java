/// Loads: which collections are served, by which nodes, and how far a load is. [LoadPart] is the
/// way in, [CollectionLoad] one load, [ShardLoad] the reconciler of one shard.
///
/// A shard is reconciled, not commanded: whenever something changes (stored data, indexes, nodes,
/// the load itself) its step compares what should be with what is and starts the calls that lead
/// there. So a crash, a lost answer or a repeated event need no case of their own.
///
/// Invariants of a shard's views:
/// - versions only grow, over restarts too;
/// - a stored segment is in a view under its own id, or under that of the segment that replaced it,
///   never both, and once in a view it stays until its successor is there or its partition goes;
/// - a segment enters a view with all delta logs loaded that concern it, so that the view's delta
///   tick holds for it.
@NullMarked
package io.elanus.role.coord.load;

import org.jspecify.annotations.NullMarked;
