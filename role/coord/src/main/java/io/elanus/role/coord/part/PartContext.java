package io.elanus.role.coord.part;

import io.elanus.wire.service.TsoService;

/// What a [CoordinatorPart] is built from. `store` carries the coordinator's term with every write.
///
/// Immutable.
public record PartContext(
    CoordinatorDeps deps, FencedStore store, CatalogView catalog, TsoService tso) {}
