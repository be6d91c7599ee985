package io.elanus.wire.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.elanus.base.bytes.ByteReader;
import io.elanus.base.bytes.ByteWriter;
import io.elanus.base.column.ColumnBatch;
import io.elanus.base.column.ColumnCodec;
import io.elanus.base.column.PrimaryKeys;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.BroadcastId;
import io.elanus.base.id.CollectionId;
import io.elanus.base.id.DatabaseId;
import io.elanus.base.id.FieldId;
import io.elanus.base.id.IndexId;
import io.elanus.base.id.MessageId;
import io.elanus.base.id.NodeId;
import io.elanus.base.id.PChannel;
import io.elanus.base.id.PartitionId;
import io.elanus.base.id.SegmentId;
import io.elanus.base.id.VChannel;
import io.elanus.base.schema.FieldSchema;
import io.elanus.base.time.HybridTs;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// JSON of catalog values, DDL bodies and internal calls. Ids, timestamps and channels are bare
/// numbers and strings; rows and keys are base64 of their binary form. Equal values have the same
/// JSON. Unknown members are ignored, so that a newer writer can add some.
///
/// Thread-safe: the mapper is immutable once built.
public final class WireJson {
  private static final JsonMapper MAPPER = builder().build();

  private WireJson() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = FieldSchema.DefaultValue.Bool.class, name = "bool"),
    @JsonSubTypes.Type(value = FieldSchema.DefaultValue.Whole.class, name = "whole"),
    @JsonSubTypes.Type(value = FieldSchema.DefaultValue.Real.class, name = "real"),
    @JsonSubTypes.Type(value = FieldSchema.DefaultValue.Text.class, name = "text")
  })
  private interface DefaultValueKinds {}

  /// The settings of the mapper, for codecs that know more types.
  public static JsonMapper.Builder builder() {
    SimpleModule values = new SimpleModule("elanus");
    number(values, DatabaseId.class, DatabaseId::value, DatabaseId::new);
    number(values, CollectionId.class, CollectionId::value, CollectionId::new);
    number(values, PartitionId.class, PartitionId::value, PartitionId::new);
    number(values, SegmentId.class, SegmentId::value, SegmentId::new);
    number(values, IndexId.class, IndexId::value, IndexId::new);
    number(values, FieldId.class, FieldId::value, FieldId::new);
    number(values, NodeId.class, NodeId::value, NodeId::new);
    number(values, BroadcastId.class, BroadcastId::value, BroadcastId::new);
    number(values, MessageId.class, MessageId::value, MessageId::new);
    number(values, HybridTs.class, HybridTs::value, HybridTs::new);
    text(values, PChannel.class, PChannel::name, PChannel::new);
    text(values, VChannel.class, VChannel::name, VChannel::new);
    bytes(values, ColumnBatch.class, ColumnCodec::write, in -> ColumnCodec.readBatch(in, 0));
    bytes(values, PrimaryKeys.class, ColumnCodec::write, ColumnCodec::readKeys);
    return JsonMapper.builder()
        .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
        .addModule(values)
        .addMixIn(FieldSchema.DefaultValue.class, DefaultValueKinds.class)
        .changeDefaultVisibility(visibility ->
            visibility
                .withGetterVisibility(Visibility.NONE)
                .withIsGetterVisibility(Visibility.NONE)
                .withFieldVisibility(Visibility.ANY));
  }

  /// The JSON of `value`, UTF-8.
  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /// Reads what [#write] wrote; error 1009 when the bytes are not JSON of that type.
  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw DbException.described(
              ErrorCode.DATA_INTEGRITY,
              type.getSimpleName() + " can't be read: " + e.getOriginalMessage())
          .causedBy(e);
    }
  }

  private static <T> void number(
      SimpleModule module, Class<T> type, ToLongFunction<T> out, LongFunction<T> in) {
    module.addSerializer(
        type,
        new ValueSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            generator.writeNumber(out.applyAsLong(value));
          }
        });
    module.addDeserializer(
        type,
        new ValueDeserializer<T>() {
          @Override
          public T deserialize(JsonParser parser, DeserializationContext context) {
            return in.apply(parser.getLongValue());
          }
        });
  }

  private static <T> void text(
      SimpleModule module, Class<T> type, Function<T, String> out, Function<String, T> in) {
    module.addSerializer(
        type,
        new ValueSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            generator.writeString(out.apply(value));
          }
        });
    module.addDeserializer(
        type,
        new ValueDeserializer<T>() {
          @Override
          public T deserialize(JsonParser parser, DeserializationContext context) {
            return in.apply(parser.getString());
          }
        });
  }

  private interface Encoder<T> {
    void write(T value, ByteWriter out);
  }

  private static <T> void bytes(
      SimpleModule module, Class<T> type, Encoder<T> out, Function<ByteReader, T> in) {
    module.addSerializer(
        type,
        new ValueSerializer<T>() {
          @Override
          public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            ByteWriter bytes = new ByteWriter(256);
            out.write(value, bytes);
            generator.writeBinary(bytes.buffer(), 0, bytes.size());
          }
        });
    module.addDeserializer(
        type,
        new ValueDeserializer<T>() {
          @Override
          public T deserialize(JsonParser parser, DeserializationContext context) {
            return in.apply(new ByteReader(parser.getBinaryValue()));
          }
        });
  }
}
