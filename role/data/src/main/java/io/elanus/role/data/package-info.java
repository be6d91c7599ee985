/// The DataNode: builds indexes and compacts segments in the object store. [DataNode] is the way
/// in; it holds no state beyond the tasks that run, so a node that is lost costs no more than their
/// work.
///
/// Every task reads immutable objects and writes new ones under a path that the coordinator chose;
/// what a failed task left there is removed, and what a killed one left the coordinator's garbage
/// collection finds.
@NullMarked
package io.elanus.role.data;

import org.jspecify.annotations.NullMarked;
