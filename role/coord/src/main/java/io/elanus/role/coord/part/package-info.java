/// What the parts of the coordinator share: the read side of the catalog ([CatalogView]), its
/// events ([CatalogListener]), writes fenced by the coordinator's term ([FencedStore]),
/// dependencies and settings. Depends on no other package of the coordinator, so that parts don't
/// import each other.
@NullMarked
package io.elanus.role.coord.part;

import org.jspecify.annotations.NullMarked;
