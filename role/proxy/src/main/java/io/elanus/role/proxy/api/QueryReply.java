package io.elanus.role.proxy.api;

import io.elanus.base.time.HybridTs;
import java.util.List;

/// Rows as columns, ordered by primary key; for `count(*)` one INT64 column of one row. `sessionTs`
/// is the read timestamp of an iterator's first page, zero otherwise.
///
/// Immutable.
public record QueryReply(
    String collection,
    List<NamedColumn> columns,
    List<String> outputNames,
    String primaryField,
    HybridTs sessionTs) {}
