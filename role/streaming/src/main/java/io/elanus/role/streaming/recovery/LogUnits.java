package io.elanus.role.streaming.recovery;

import io.elanus.base.error.DbException;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.PChannel;
import io.elanus.engine.log.WalLog;
import io.elanus.engine.log.WalReader;
import io.elanus.engine.log.WalRecord;
import io.elanus.role.streaming.txn.TxnAssembler;
import io.elanus.role.streaming.txn.WalUnit;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.WalMessage;
import java.util.ArrayList;
import java.util.List;

/// Reads a log as units, from a position on. Calls block on the disk. Errors are the reader's: 1000
/// when the position was truncated, 1009 when the log is damaged, 3000 when a newer version wrote a
/// record.
///
/// Confined to the caller.
public final class LogUnits implements AutoCloseable {
  private final WalReader reader;
  private final PChannel pchannel;
  private final TxnAssembler assembler = new TxnAssembler();
  private final boolean copying;
  private MessageId resume;
  private MessageId lastSeen = MessageId.NONE;
  private boolean drained;

  private LogUnits(WalLog log, MessageId from, boolean copying) {
    this.reader = log.read(from);
    this.pchannel = log.pchannel();
    this.resume = from;
    this.copying = copying;
  }

  /// A reader whose first unit begins at or behind `from`. Messages share the reader's large
  /// buffers: for those who look at them once.
  public static LogUnits open(WalLog log, MessageId from) {
    return new LogUnits(log, from, false);
  }

  /// The same, with messages that each hold their own bytes: for those who keep some of them.
  public static LogUnits copying(WalLog log, MessageId from) {
    return new LogUnits(log, from, true);
  }

  /// Units that end at or before `limit`, about `maxBytes` of records; empty when `limit` is
  /// reached, and possibly before (a large transaction): [#isDone] tells. Records behind `limit`
  /// that were read are lost to this reader, so the limit of later calls may only matter when it
  /// was not reached.
  public List<WalUnit> next(int maxBytes, MessageId limit) {
    List<WalUnit> units = new ArrayList<>();
    List<WalRecord> records = reader.readBatch(maxBytes);
    drained = records.isEmpty();
    for (WalRecord record : records) {
      if (record.id().isAfter(limit)) {
        lastSeen = record.id();
        break;
      }
      WalUnit unit = assembler.next(decode(record), record.id());
      if (unit != null) {
        units.add(unit);
      }
      lastSeen = record.id();
      if (!assembler.isInTxn()) {
        resume = record.id().next();
      }
    }
    return units;
  }

  /// Whether everything up to `limit` was seen. What is left of a transaction then was cut off by a
  /// crash, for a transaction's records become durable knowledge together.
  public boolean isDone(MessageId limit) {
    return drained || !limit.isAfter(lastSeen);
  }

  private WalMessage decode(WalRecord record) {
    try {
      return copying
          ? MessageCodec.decode(record.payload())
          : MessageCodec.decode(
              record.buffer(), record.offset(), record.offset() + record.length());
    } catch (DbException e) {
      throw e.inContext("record " + record.id() + " of the log of " + pchannel);
    }
  }

  /// Where another reader would go on: behind the last complete unit.
  public MessageId resume() {
    return resume;
  }

  @Override
  public void close() {
    reader.close();
  }
}
