package io.elanus.wire.meta;

import io.elanus.base.id.CollectionId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.PartitionId;
import io.elanus.base.time.HybridTs;
import java.util.List;

/// That a collection is to be loaded, and how. `partitions` lists what to load; `wholeCollection`
/// says that partitions made later are loaded too. Empty `fields` means all.
///
/// Immutable.
public record LoadMeta(
    CollectionId collectionId,
    boolean wholeCollection,
    List<PartitionId> partitions,
    List<FieldId> fields,
    int replicas,
    HybridTs createdTs) {
  public LoadMeta {
    partitions = List.copyOf(partitions);
    fields = List.copyOf(fields);
  }
}
