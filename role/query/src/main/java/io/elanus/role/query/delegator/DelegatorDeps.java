package io.elanus.role.query.delegator;

import io.elanus.base.loop.Threads;
import io.elanus.role.query.QueryConfig;
import io.elanus.role.query.QueryMetrics;
import io.elanus.role.query.search.FilterCache;
import io.elanus.role.query.search.ReadPool;
import io.elanus.wire.service.NodeLinks;
import io.elanus.wire.service.QueryNodeService;
import io.elanus.wire.service.WalTail;

/// What delegators are made of.
///
/// Immutable.
public record DelegatorDeps(
    WalTail tail,
    NodeLinks<QueryNodeService> nodes,
    Threads threads,
    ReadPool pool,
    FilterCache filters,
    QueryConfig config,
    QueryMetrics metrics) {}
