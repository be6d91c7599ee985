/// One class per kind of client operation; start at ProxyNode.
@NullMarked
package io.elanus.role.proxy.task;

import org.jspecify.annotations.NullMarked;
