/// Object store: immutable byte sequences under `/`-separated keys, written atomically.
///
/// Start with [ObjectStore]; engines are [LocalObjectStore] (files in a folder) and
/// [MemoryObjectStore]. Invariant: an object is there whole or not at all, and is durable once its
/// put has returned (engines with a disk).
@NullMarked
package io.elanus.engine.storage.object;

import org.jspecify.annotations.NullMarked;
