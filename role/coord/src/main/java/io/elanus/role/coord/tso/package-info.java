/// The timestamp oracle and the id allocator: [Tso], over bounds that are persisted ahead
/// ([PersistedBound]); [ChannelTerms] knows which owner of a PChannel may still publish ticks.
@NullMarked
package io.elanus.role.coord.tso;

import org.jspecify.annotations.NullMarked;
