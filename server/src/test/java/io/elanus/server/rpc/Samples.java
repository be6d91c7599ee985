package io.elanus.server.rpc;

import io.elanus.base.column.Column;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnBuilder;
import io.elanus.base.id.FieldId;
import io.elanus.base.random.Rng;
import io.elanus.base.schema.DataType;
import io.elanus.base.time.HybridTs;
import io.elanus.wire.message.Message;
import io.elanus.wire.message.MessageHeader;
import io.elanus.wire.message.WalMessage;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Values of the records of internal calls with every component filled at random, and their text by
/// which two of them are compared: most hold arrays, which have no equality of their own.
///
/// Confined to the caller.
final class Samples {
  private static final List<String> TEXTS =
      List.of("", "plain", "quote \" slash \\ line\n", "žluťoučký 千 🐎", "a_7v0", "100%");
  private static final float[] FLOATS = {
    0f,
    -0f,
    1.5f,
    -2.25e-30f,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY
  };

  private final Rng rng;

  Samples(long seed) {
    rng = new Rng(seed);
  }

  /// One sample of a record, one of each member of a sealed family.
  List<Object> ofEachKind(Class<?> type) {
    if (!type.isSealed()) {
      return List.of(fill(type));
    }
    List<Object> samples = new ArrayList<>();
    for (Class<?> member : type.getPermittedSubclasses()) {
      samples.add(fill(member));
    }
    return samples;
  }

  /// A filled value of `type`.
  Object fill(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class ? list(arguments[0]) : map(arguments);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == ColumnBatch.class) {
      return rows();
    }
    if (raw == HybridTs.class) {
      return new HybridTs(rng.nextLong());
    }
    if (raw.isSealed()) {
      Class<?>[] members = raw.getPermittedSubclasses();
      return fill(members[rng.nextInt(members.length)]);
    }
    if (raw.isRecord()) {
      return record(raw);
    }
    if (raw.isArray()) {
      Object array = Array.newInstance(raw.getComponentType(), rng.nextInt(4));
      for (int i = 0; i < Array.getLength(array); i++) {
        Array.set(array, i, fill(raw.getComponentType()));
      }
      return array;
    }
    return simple(raw);
  }

  private Object simple(Class<?> type) {
    if (type == long.class || type == Long.class) {
      return rng.nextLong() >>> 1;
    } else if (type == int.class) {
      return rng.nextInt(Integer.MAX_VALUE);
    } else if (type == boolean.class) {
      return rng.nextInt(2) == 0;
    } else if (type == float.class) {
      return FLOATS[rng.nextInt(FLOATS.length)];
    } else if (type == double.class) {
      return (double) FLOATS[rng.nextInt(FLOATS.length)] * 1.1;
    } else if (type == String.class) {
      return TEXTS.get(rng.nextInt(TEXTS.size()));
    } else if (type.isEnum()) {
      return type.getEnumConstants()[rng.nextInt(type.getEnumConstants().length)];
    }
    throw new IllegalArgumentException("no sample of " + type + " is known: teach it here");
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      AnnotatedElement annotations = components[i].getAnnotatedType();
      boolean absent = annotations.isAnnotationPresent(Nullable.class) && rng.nextInt(3) == 0;
      values[i] = absent ? null : fill(components[i].getGenericType());
    }
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException e) {
      throw new IllegalStateException(type + " can't be made", e);
    }
  }

  private List<Object> list(Type of) {
    List<Object> out = new ArrayList<>();
    if (of == WalMessage.class) {
      for (Class<?> body : Message.class.getPermittedSubclasses()) {
        MessageHeader header = (MessageHeader) fill(MessageHeader.class);
        out.add(new WalMessage(header, (Message) fill(body)));
      }
      return out;
    }
    int size = rng.nextInt(4);
    for (int i = 0; i < size; i++) {
      out.add(fill(of));
    }
    return out;
  }

  private Map<Object, Object> map(Type[] arguments) {
    Map<Object, Object> out = new TreeMap<>();
    for (int i = rng.nextInt(4); i > 0; i--) {
      out.put(fill(arguments[0]), fill(arguments[1]));
    }
    return out;
  }

  private ColumnBatch rows() {
    ColumnBuilder numbers = new ColumnBuilder(DataType.INT64, 0, 3);
    ColumnBuilder texts = new ColumnBuilder(DataType.VARCHAR, 0, 3);
    ColumnBuilder vectors = new ColumnBuilder(DataType.FLOAT_VECTOR, 2, 3);
    for (int i = 0; i < 3; i++) {
      numbers.addInteger(rng.nextLong());
      if (rng.nextInt(2) == 0) {
        texts.addNull();
      } else {
        texts.addText(TEXTS.get(rng.nextInt(TEXTS.size())));
      }
      vectors.addFloatVector(new float[] {(float) simple(float.class), i}, 0);
    }
    return new ColumnBatch(
        3,
        Map.of(
            new FieldId(100), numbers.build(),
            new FieldId(101), texts.build(),
            new FieldId(102), vectors.build()));
  }

  /// Everything in a value, as text: equal values have equal texts, others don't.
  static String describe(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    describe(value, out);
    return out.toString();
  }

  private static void describe(@Nullable Object value, StringBuilder out) {
    switch (value) {
      case null -> out.append("null");
      case Column column -> describeColumn(column, out);
      case Record row -> {
        out.append(row.getClass().getName());
        for (RecordComponent component : row.getClass().getRecordComponents()) {
          out.append("\n.").append(component.getName()).append('=');
          describe(read(row, component), out);
        }
      }
      case List<?> list -> {
        out.append("list of ").append(list.size());
        list.forEach(item -> describe(item, out.append("\n- ")));
      }
      case Map<?, ?> map ->
          map.forEach((key, item) -> {
            describe(key, out.append("\n- "));
            describe(item, out.append(" -> "));
          });
      default -> {
        if (value.getClass().isArray()) {
          for (int i = 0; i < Array.getLength(value); i++) {
            describe(Array.get(value, i), out.append("\n- "));
          }
        } else {
          out.append(value);
        }
      }
    }
  }

  private static void describeColumn(Column column, StringBuilder out) {
    out.append(column.type()).append('/').append(column.dim());
    for (int row = 0; row < column.rows(); row++) {
      out.append('|');
      if (column.isNull(row)) {
        out.append("null");
      } else if (column.type().isVariableWidth()) {
        out.append(column.textAt(row));
      } else if (column.type().isVector()) {
        describe(column.floatVectorAt(row), out);
      } else {
        out.append(column.integerAt(row));
      }
    }
  }

  private static Object read(Record row, RecordComponent component) {
    try {
      var accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(row);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(component + " can't be read", e);
    }
  }
}
