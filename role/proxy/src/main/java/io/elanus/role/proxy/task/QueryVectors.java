package io.elanus.role.proxy.task;

import io.elanus.base.error.DbException;
import io.elanus.base.schema.DataType;
import io.elanus.base.schema.FieldSchema;
import io.elanus.role.proxy.api.SearchRequest;
import io.elanus.role.proxy.check.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Query vectors as searches carry them.
///
/// Thread-safe: stateless.
final class QueryVectors {
  private QueryVectors() {}

  /// All queries, row-major; error 1100 when one is not a vector of the field.
  static float[] read(SearchRequest.Queries queries, FieldSchema field) {
    if (field.type() != DataType.FLOAT_VECTOR) {
      throw DbException.invalid(
          "search on a field of type " + field.type().wireName() + " is not supported yet");
    }
    if (queries.type() != DataType.FLOAT_VECTOR) {
      throw planFault(
          "vector type must be the same, field "
              + field.name()
              + " - type "
              + field.type().wireName()
              + ", search info type "
              + queries.type().wireName());
    }
    int dim = field.dim();
    List<byte[]> blobs = queries.values();
    float[] vectors = new float[Math.multiplyExact(blobs.size(), dim)];
    for (int i = 0; i < blobs.size(); i++) {
      byte[] blob = blobs.get(i);
      if (blob.length != 4 * dim) {
        throw planFault(
            "vector dimension mismatch, expected vector size(byte) "
                + 4 * dim
                + ", actual "
                + blob.length);
      }
      ByteBuffer.wrap(blob)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asFloatBuffer()
          .get(vectors, i * dim, dim);
    }
    Values.finite(vectors);
    return vectors;
  }

  private static DbException planFault(String message) {
    return DbException.invalid("failed to create query plan: " + message);
  }
}
