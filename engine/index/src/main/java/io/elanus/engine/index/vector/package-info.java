/// Vector indexes over the float32 rows of one sealed segment. Read [VectorIndex] (what a search
/// is), [VectorIndexBuilder] (how one is made), [VectorIndexFormat] (how one is stored), then the
/// kinds: [FlatIndex], [HnswIndex] (with codes: AUTOINDEX), [IvfFlatIndex]. [IndexParams] checks
/// users' parameters.
///
/// Invariants: a built index never changes; no result lies outside the row set that was passed in.
@NullMarked
package io.elanus.engine.index.vector;

import org.jspecify.annotations.NullMarked;
