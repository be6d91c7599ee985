package io.elanus.role.proxy.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.WireFormat;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads inserts and upserts without turning packed float vectors into lists: their bytes on the
/// wire are the bytes of a column, so the column is a view of the request.
///
/// The request is walked along the path `fields_data` / `vectors` / `float_vector` / `data`; the
/// packed run is cut out and the rest, much smaller, is parsed as usual. A request whose vectors
/// are not one packed run each is parsed as a whole.
///
/// Thread-safe: stateless.
final class BulkMarshaller<T extends Message>
    implements MethodDescriptor.Marshaller<BulkRequest<T>> {
  /// `fields_data` of InsertRequest and UpsertRequest.
  private static final int FIELDS_DATA = 5;

  /// `vectors` of FieldData, `float_vector` of VectorField, `data` of FloatArray.
  private static final int VECTORS = 4;

  private static final int FLOAT_VECTOR = 2;
  private static final int DATA = 1;

  /// Below this, walking costs more than it saves.
  private static final int SMALL_BYTES = 8192;

  private final Parser<T> parser;

  BulkMarshaller(Parser<T> parser) {
    this.parser = parser;
  }

  @Override
  public InputStream stream(BulkRequest<T> request) {
    return new ByteArrayInputStream(request.message().toByteArray());
  }

  @Override
  public BulkRequest<T> parse(InputStream stream) {
    try {
      return parse(stream.readAllBytes());
    } catch (IOException e) {
      throw Status.INTERNAL
          .withDescription("request can't be read")
          .withCause(e)
          .asRuntimeException();
    }
  }

  BulkRequest<T> parse(byte[] bytes) throws IOException {
    if (bytes.length <= SMALL_BYTES) {
      return new BulkRequest<>(parser.parseFrom(bytes), List.of(), bytes.length);
    }
    List<@Nullable MemorySegment> floats = new ArrayList<>();
    byte[] rest = withoutFloats(bytes, floats);
    return rest == null
        ? new BulkRequest<>(parser.parseFrom(bytes), List.of(), bytes.length)
        : new BulkRequest<>(parser.parseFrom(rest), floats, bytes.length);
  }

  /// The request without its packed floats, which are added to `floats`; null when it has another
  /// form.
  private static byte @Nullable [] withoutFloats(byte[] bytes, List<@Nullable MemorySegment> floats)
      throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    Rest rest = new Rest(bytes);
    while (true) {
      int start = in.getTotalBytesRead();
      int tag = in.readTag();
      if (tag == 0) {
        return rest.toByteArray();
      }
      if (tag != delimited(FIELDS_DATA)) {
        in.skipField(tag);
        rest.copy(start, in.getTotalBytesRead());
        continue;
      }
      int length = in.readRawVarint32();
      int from = in.getTotalBytesRead();
      in.skipRawBytes(length); // Fails when the request ends too early.
      Cut cut = new Cut();
      byte[] field = withoutFloats(bytes, from, from + length, VECTORS, cut);
      if (field == null) {
        return null;
      }
      rest.message(FIELDS_DATA, field);
      floats.add(cut.floats);
    }
  }

  /// What was cut out of one field's data.
  private static final class Cut {
    @Nullable MemorySegment floats;
  }

  /// The message in `[from, to)` with the message under `number` replaced by one without floats.
  private static byte @Nullable [] withoutFloats(
      byte[] bytes, int from, int to, int number, Cut cut) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(bytes, from, to - from);
    Rest rest = new Rest(bytes);
    while (true) {
      int start = from + in.getTotalBytesRead();
      int tag = in.readTag();
      if (tag == 0) {
        return rest.toByteArray();
      }
      if (tag != delimited(number)) {
        if (number == DATA && WireFormat.getTagFieldNumber(tag) == DATA) {
          return null; // Floats one by one: the packed run is only part of them.
        }
        in.skipField(tag);
        rest.copy(start, from + in.getTotalBytesRead());
        continue;
      }
      int length = in.readRawVarint32();
      int inner = from + in.getTotalBytesRead();
      in.skipRawBytes(length); // Fails when the message ends too early.
      if (number == DATA) {
        if (cut.floats != null) {
          return null;
        }
        cut.floats = MemorySegment.ofArray(bytes).asSlice(inner, length).asReadOnly();
        continue;
      }
      byte[] message =
          withoutFloats(bytes, inner, inner + length, number == VECTORS ? FLOAT_VECTOR : DATA, cut);
      if (message == null) {
        return null;
      }
      rest.message(number, message);
    }
  }

  private static int delimited(int number) {
    return number << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  /// What stays of a message.
  private static final class Rest {
    private final byte[] bytes;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    Rest(byte[] bytes) {
      this.bytes = bytes;
    }

    void copy(int from, int to) {
      out.write(bytes, from, to - from);
    }

    void message(int number, byte[] message) throws IOException {
      byte[] head = new byte[10];
      CodedOutputStream coded = CodedOutputStream.newInstance(head);
      coded.writeUInt32NoTag(delimited(number));
      coded.writeUInt32NoTag(message.length);
      out.write(head, 0, coded.getTotalBytesWritten());
      out.write(message, 0, message.length);
    }

    byte[] toByteArray() {
      return out.toByteArray();
    }
  }
}
