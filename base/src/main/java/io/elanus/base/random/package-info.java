/// Seeded randomness and id generation, split by name so that one seed drives a whole cluster.
@NullMarked
package io.elanus.base.random;

import org.jspecify.annotations.NullMarked;
