package io.elanus.engine.index.vector;

/// placeholder
final class VectorIndexFormat {}
