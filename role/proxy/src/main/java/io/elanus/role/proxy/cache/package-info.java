/// What the proxy remembers of collections and of who serves them, until a DDL says otherwise
///
@NullMarked
package io.elanus.role.proxy.cache;

import org.jspecify.annotations.NullMarked;
