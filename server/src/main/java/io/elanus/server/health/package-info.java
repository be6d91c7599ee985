/// The management port: health, metrics, status page.
@NullMarked
package io.elanus.server.health;

import org.jspecify.annotations.NullMarked;
