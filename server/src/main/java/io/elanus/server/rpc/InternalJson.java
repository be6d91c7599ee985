package io.elanus.server.rpc;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.wire.codec.WireJson;
import io.elanus.wire.message.MessageCodec;
import io.elanus.wire.message.WalMessage;
import io.elanus.wire.service.DdlRequest;
import io.elanus.wire.service.ReadReply;
import io.elanus.wire.service.ReadRequest;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/// JSON of internal calls: catalog values as in [WireJson], WAL messages as base64 of their own
/// bytes, sealed families with their member's name as `kind`.
///
/// Thread-safe: the mapper is immutable once built.
final class InternalJson {
  private static final JsonMapper MAPPER = build();

  private InternalJson() {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  private interface Kinds {}

  private static JsonMapper build() {
    SimpleModule messages = new SimpleModule("elanus-internal");
    messages.addSerializer(
        WalMessage.class,
        new ValueSerializer<WalMessage>() {
          @Override
          public void serialize(
              WalMessage value, JsonGenerator generator, SerializationContext context) {
            generator.writeBinary(MessageCodec.encode(value));
          }
        });
    messages.addDeserializer(
        WalMessage.class,
        new ValueDeserializer<WalMessage>() {
          @Override
          public WalMessage deserialize(JsonParser parser, DeserializationContext context) {
            return MessageCodec.decode(parser.getBinaryValue());
          }
        });
    JsonMapper.Builder builder = WireJson.builder().addModule(messages);
    for (Class<?> family : List.of(DdlRequest.class, ReadRequest.class, ReadReply.class)) {
      builder.addMixIn(family, Kinds.class);
      for (Class<?> member : family.getPermittedSubclasses()) {
        builder.registerSubtypes(new NamedType(member, member.getSimpleName()));
      }
    }
    return builder.build();
  }

  static byte[] write(Object value, Class<?> declared) {
    return MAPPER.writerFor(declared).writeValueAsBytes(value);
  }

  /// Error 1009 when the bytes are not JSON of that type.
  static <T> T read(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw DbException.described(
              ErrorCode.DATA_INTEGRITY,
              type.getSimpleName() + " can't be read: " + e.getOriginalMessage())
          .causedBy(e);
    }
  }
}
