/// Reads: QueryNodes hold sealed segments ([io.elanus.role.query.load]), shard delegators hold the
/// growing ones, wait for ServiceTime and answer reads from one complete view
/// ([io.elanus.role.query.delegator]); [io.elanus.role.query.search] runs a read over segments and
/// [io.elanus.role.query.reduce] merges what they found.
@NullMarked
package io.elanus.role.query;

import org.jspecify.annotations.NullMarked;
