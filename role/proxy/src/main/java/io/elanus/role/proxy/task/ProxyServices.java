package io.elanus.role.proxy.task;

import io.elanus.wire.service.CatalogService;
import io.elanus.wire.service.DataCoordService;
import io.elanus.wire.service.DelegatorService;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryCoordService;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;

/// The other roles, as a proxy needs them. `streaming` routes to the owner of a channel.
///
/// Immutable.
public record ProxyServices(
    TsoService tso,
    CatalogService catalog,
    DataCoordService data,
    QueryCoordService query,
    StreamingService streaming,
    NodeLinks<DelegatorService> delegators) {}
