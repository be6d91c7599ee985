/// Which StreamingNode owns which PChannel: [ChannelAssigner].
@NullMarked
package io.elanus.role.coord.balance;

import org.jspecify.annotations.NullMarked;
