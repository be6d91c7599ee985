/// The server as a library: [Elanus] for any program, [ElanusExtension] for JUnit tests.
@NullMarked
package io.elanus.server.embedded;

import org.jspecify.annotations.NullMarked;
