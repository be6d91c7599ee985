package io.elanus.engine.expr.eval;

import io.elanus.engine.expr.tree.CompareOp;
import io.elanus.engine.expr.tree.TimeShift;
import java.time.LocalDate;

/// `column + shift op instant` on a TIMESTAMPTZ column, microseconds since 1970.
///
/// Immutable.
final class TimestampNode extends FieldNode {
  private static final long MICROS_A_SECOND = 1_000_000;
  private static final long SECONDS_A_DAY = 86_400;
  // Far beyond what java.time can count, closer than what would overflow.
  private static final long MAX_DAY = 360_000_000_000L;

  private final TimeShift shift;
  private final CompareOp op;
  private final long instantMicros;

  TimestampNode(int slot, TimeShift shift, CompareOp op, long instantMicros) {
    super(slot);
    this.shift = shift;
    this.op = op;
    this.instantMicros = instantMicros;
  }

  @Override
  void fill(Frame frame, long[] wanted, long[] out) {
    long[] values = frame.longs(slot);
    for (int w = 0; w < frame.words(); w++) {
      long bits = 0;
      for (long left = wanted[w]; left != 0; left &= left - 1) {
        int bit = Long.numberOfTrailingZeros(left);
        if (op.holds(compareShifted(values[(w << 6) + bit]))) {
          bits |= 1L << bit;
        }
      }
      out[w] = bits;
    }
  }

  /// The order of the shifted value against the instant, by seconds first so that nothing
  /// overflows.
  private int compareShifted(long micros) {
    long second = Math.floorDiv(micros, MICROS_A_SECOND);
    long rest = Math.floorMod(micros, MICROS_A_SECOND);
    long day = Math.floorDiv(second, SECONDS_A_DAY);
    long secondOfDay = Math.floorMod(second, SECONDS_A_DAY);
    long shiftedDay = addMonths(day) + shift.days();
    if (Math.abs(shiftedDay) > MAX_DAY) {
      return shiftedDay > 0 ? 1 : -1;
    }
    long shifted = shiftedDay * SECONDS_A_DAY + secondOfDay + shift.seconds();
    int order = Long.compare(shifted, Math.floorDiv(instantMicros, MICROS_A_SECOND));
    return order != 0 ? order : Long.compare(rest, Math.floorMod(instantMicros, MICROS_A_SECOND));
  }

  private long addMonths(long day) {
    if (shift.months() == 0) {
      return day;
    }
    LocalDate date = LocalDate.ofEpochDay(day);
    long month = date.getYear() * 12L + date.getMonthValue() - 1 + shift.months();
    long year = Math.floorDiv(month, 12);
    if (Math.abs(year) > 900_000_000) {
      return year > 0 ? 2 * MAX_DAY : -2 * MAX_DAY;
    }
    LocalDate first = LocalDate.of((int) year, Math.floorMod(month, 12) + 1, 1);
    return first.toEpochDay() + date.getDayOfMonth() - 1;
  }

  @Override
  int cost() {
    return 5;
  }
}
