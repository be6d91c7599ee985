/// Annotations of configuration records and the binder that fills them.
@NullMarked
package io.elanus.base.config;

import org.jspecify.annotations.NullMarked;
