/// REST v2 over [io.elanus.role.proxy.api.ProxyApi]. Reading order: [RestHandler] (routes, errors),
/// then the groups: [CollectionRoutes], [ObjectRoutes], [EntityRoutes].
@NullMarked
package io.elanus.role.proxy.rest;

import org.jspecify.annotations.NullMarked;
