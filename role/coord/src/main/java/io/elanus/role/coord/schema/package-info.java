/// The catalog: databases, collections, partitions, aliases, index definitions, loads.
///
/// Reading order: [Catalog] (the image in memory and its stored form), [CatalogFront] (the
/// service), [DdlRunner] (lock, check, broadcast), the `…Ddl` classes (checks of each call),
/// [CatalogCallbacks] (the only writers of the catalog).
///
/// Invariant: the catalog changes in ack callbacks only, on the broadcaster's loop.
@NullMarked
package io.elanus.role.coord.schema;

import org.jspecify.annotations.NullMarked;
