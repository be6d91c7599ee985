/// Index builds: the vectors of one sealed segment in, one index object out.
@NullMarked
package io.elanus.role.data.indexbuild;

import org.jspecify.annotations.NullMarked;
