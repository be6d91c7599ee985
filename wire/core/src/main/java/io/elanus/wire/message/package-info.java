/// WAL messages: one sealed family and its codec. Reading order: [Message], [WalMessage],
/// [MessageCodec].
@NullMarked
package io.elanus.wire.message;

import org.jspecify.annotations.NullMarked;
