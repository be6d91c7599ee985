package io.elanus.role.query.search;

import io.elanus.engine.segment.ReadPoint;
import io.elanus.engine.segment.Segment;

/// A segment that a read looks at, held by whoever made the target, and when it looks.
///
/// Immutable.
public record Target(Segment segment, ReadPoint at) {}
