/// From settings to a running process: what it is made of is read here. Reading order:
/// [StandaloneNode], [DataFolder], [LocalLinks].
@NullMarked
package io.elanus.server.node;

import org.jspecify.annotations.NullMarked;
