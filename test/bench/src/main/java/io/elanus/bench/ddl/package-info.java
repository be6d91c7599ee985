/// Speed of schema changes against a running server.
@NullMarked
package io.elanus.bench.ddl;

import org.jspecify.annotations.NullMarked;
