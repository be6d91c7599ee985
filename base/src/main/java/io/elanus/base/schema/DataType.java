package io.elanus.base.schema;

import io.elanus.base.error.DbException;

/// Data types of fields, with the numbers of the wire contract (schema-and-types, section 1).
///
/// Immutable.
public enum DataType {
  BOOL(1, "Bool"),
  INT8(2, "Int8"),
  INT16(3, "Int16"),
  INT32(4, "Int32"),
  INT64(5, "Int64"),
  FLOAT(10, "Float"),
  DOUBLE(11, "Double"),
  STRING(20, "String"),
  VARCHAR(21, "VarChar"),
  ARRAY(22, "Array"),
  JSON(23, "JSON"),
  GEOMETRY(24, "Geometry"),
  TEXT(25, "Text"),
  TIMESTAMPTZ(26, "Timestamptz"),
  BINARY_VECTOR(100, "BinaryVector"),
  FLOAT_VECTOR(101, "FloatVector"),
  FLOAT16_VECTOR(102, "Float16Vector"),
  BFLOAT16_VECTOR(103, "BFloat16Vector"),
  SPARSE_FLOAT_VECTOR(104, "SparseFloatVector"),
  INT8_VECTOR(105, "Int8Vector"),
  ARRAY_OF_VECTOR(106, "ArrayOfVector"),
  ARRAY_OF_STRUCT(200, "ArrayOfStruct");

  private final int number;
  private final String wireName;

  DataType(int number, String wireName) {
    this.number = number;
    this.wireName = wireName;
  }

  public int number() {
    return number;
  }

  /// The enum's name on the wire and in REST, e.g. `FloatVector`.
  public String wireName() {
    return wireName;
  }

  public boolean isVector() {
    return number >= 100 && number <= 106;
  }

  /// Int8 to Int64.
  public boolean isInteger() {
    return number >= 2 && number <= 5;
  }

  public boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /// Values of differing byte lengths: stored as offsets + bytes.
  public boolean isVariableWidth() {
    return switch (this) {
      case STRING,
          VARCHAR,
          ARRAY,
          JSON,
          GEOMETRY,
          TEXT,
          SPARSE_FLOAT_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          true;
      case BOOL,
          INT8,
          INT16,
          INT32,
          INT64,
          FLOAT,
          DOUBLE,
          TIMESTAMPTZ,
          BINARY_VECTOR,
          FLOAT_VECTOR,
          FLOAT16_VECTOR,
          BFLOAT16_VECTOR,
          INT8_VECTOR ->
          false;
    };
  }

  /// Bytes of one value; `dim` counts for vectors only. Throws for variable-width types.
  public int widthBytes(int dim) {
    return switch (this) {
      case BOOL, INT8 -> 1;
      case INT16 -> 2;
      case INT32, FLOAT -> 4;
      case INT64, DOUBLE, TIMESTAMPTZ -> 8;
      case BINARY_VECTOR -> dim / 8;
      case FLOAT_VECTOR -> dim * 4;
      case FLOAT16_VECTOR, BFLOAT16_VECTOR -> dim * 2;
      case INT8_VECTOR -> dim;
      case STRING,
          VARCHAR,
          ARRAY,
          JSON,
          GEOMETRY,
          TEXT,
          SPARSE_FLOAT_VECTOR,
          ARRAY_OF_VECTOR,
          ARRAY_OF_STRUCT ->
          throw new IllegalStateException(this + " has no fixed width");
    };
  }

  /// The type with this wire number; error 1100 when there is none.
  public static DataType ofNumber(int number) {
    for (DataType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    throw DbException.invalid("data type " + number + " is not supported");
  }
}
