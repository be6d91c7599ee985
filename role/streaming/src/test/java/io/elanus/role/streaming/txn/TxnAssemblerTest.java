package io.elanus.role.streaming.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.VChannel;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.WalMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TxnAssemblerTest {
  private static final VChannel CHANNEL = new VChannel("p_0_1v0");
  private final TxnAssembler assembler = new TxnAssembler();
  private long position;

  private static Message delete(long key) {
    return new Message.Delete(
        new CollectionId(1), Message.Delete.ALL_PARTITIONS, PrimaryKeys.of(key));
  }

  private @Nullable WalUnit next(long txn, Message body) {
    position++;
    MessageHeader header =
        MessageHeader.of(CHANNEL).stamped(new HybridTs(100 + position), MessageId.NONE).inTxn(txn);
    return assembler.next(new WalMessage(header, body), new MessageId(position));
  }

  @Test
  void aMessageOutsideTransactionsIsAUnit() {
    WalUnit unit = Objects.requireNonNull(next(0, delete(1)));

    assertThat(unit.tick()).isEqualTo(new HybridTs(101));
    assertThat(unit.first()).isEqualTo(unit.last());
  }

  @Test
  void bodiesAppearTogetherAtTheCommitsTick() {
    assertThat(next(7, new Message.BeginTxn(10))).isNull();
    assertThat(next(7, delete(1))).isNull();
    assertThat(next(7, delete(2))).isNull();
    WalUnit unit = Objects.requireNonNull(next(7, new Message.CommitTxn(2)));

    assertThat(unit.messages()).extracting(WalMessage::timeTick).containsOnly(new HybridTs(104));
    assertThat(unit.first()).isEqualTo(new MessageId(1));
    assertThat(unit.last()).isEqualTo(new MessageId(4));
    assertThat(unit.ids()).containsExactly(new MessageId(2), new MessageId(3));
    assertThat(assembler.isInTxn()).isFalse();
  }

  @Test
  void aTransactionThatWasCutOffIsDropped() {
    next(7, new Message.BeginTxn(10));
    next(7, delete(1));

    assertThat(next(0, delete(2))).isNotNull();
    assertThat(next(7, new Message.CommitTxn(1))).isNull();
  }

  @Test
  void aTransactionWhoseBeginWasNotReadIsSkipped() {
    assertThat(next(7, delete(1))).isNull();
    assertThat(next(7, new Message.CommitTxn(1))).isNull();
  }

  @Test
  void aRolledBackTransactionIsDropped() {
    next(7, new Message.BeginTxn(10));
    next(7, delete(1));

    assertThat(next(7, new Message.RollbackTxn())).isNull();
    assertThat(assembler.isInTxn()).isFalse();
  }

  @Test
  void aCommitThatCountsOtherwiseIsDamage() {
    next(7, new Message.BeginTxn(10));
    next(7, delete(1));

    assertThatThrownBy(() -> next(7, new Message.CommitTxn(2)))
        .isInstanceOfSatisfying(
            DbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_INTEGRITY));
  }
}
