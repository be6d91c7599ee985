package io.elanus.engine.expr.tree;

/// A span of calendar time, negative to go back: months are added first, keeping the day of the
/// month even where it runs over into the next one, then days, then seconds, all in UTC.
///
/// Immutable.
public record TimeShift(long months, long days, long seconds) {}
