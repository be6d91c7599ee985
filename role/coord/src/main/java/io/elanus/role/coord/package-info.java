/// The coordinator: the single active brain of a cluster. [Coordinator] wires its parts:
///
/// | package | part |
/// | --- | --- |
/// | `tso` | timestamp oracle and ids |
/// | `balance` | which StreamingNode owns which PChannel |
/// | `broadcast` | atomic DDL over all its VChannels |
/// | `schema` | the catalog and the checks of DDL |
/// | `segments` | stored data: segments, indexes, compaction |
/// | `load` | what is served by whom |
/// | `part` | what the parts share |
@NullMarked
package io.elanus.role.coord;

import org.jspecify.annotations.NullMarked;
