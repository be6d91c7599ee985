/// Collection schemas: data types, metric types, fields, consistency levels.
@NullMarked
package io.elanus.base.schema;

import org.jspecify.annotations.NullMarked;
