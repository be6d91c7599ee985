/// Columnar rows: the one in-memory shape of data between wire, log, segments and results.
@NullMarked
package io.elanus.base.column;

import org.jspecify.annotations.NullMarked;
