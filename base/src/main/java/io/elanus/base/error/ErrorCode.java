package io.elanus.base.error;

/// The documented error numbers of the wire contract (Milvus 2.6). A number never changes its
/// meaning and is never reused.
///
/// Immutable.
public enum ErrorCode {
  SERVICE_NOT_READY(1, "service not ready", true, Blame.SYSTEM),
  SERVICE_UNAVAILABLE(2, "service unavailable", true, Blame.SYSTEM),
  MEMORY_LIMIT_EXCEEDED(3, "memory limit exceeded", false, Blame.SYSTEM),
  TOO_MANY_REQUESTS(4, "too many concurrent requests, queue is full", true, Blame.SYSTEM),
  SERVICE_INTERNAL(5, "service internal error", false, Blame.SYSTEM),
  DISK_LIMIT_EXCEEDED(7, "disk limit exceeded", false, Blame.SYSTEM),
  RATE_LIMIT(8, "rate limit exceeded", true, Blame.SYSTEM),
  QUOTA_EXCEEDED(9, "quota exceeded", false, Blame.SYSTEM),
  UNIMPLEMENTED(10, "service unimplemented", false, Blame.SYSTEM),
  TIME_TICK_LONG_DELAY(11, "time tick long delay", false, Blame.SYSTEM),
  RESOURCE_INSUFFICIENT(12, "service resource insufficient", true, Blame.SYSTEM),
  COLLECTION_NOT_FOUND(100, "collection not found", false, Blame.SYSTEM),
  COLLECTION_NOT_LOADED(101, "collection not loaded", false, Blame.SYSTEM),
  COLLECTION_NUM_LIMIT(102, "exceeded the limit number of collections", false, Blame.INPUT),
  COLLECTION_NOT_FULLY_LOADED(103, "collection not fully loaded", true, Blame.SYSTEM),
  COLLECTION_LOADED(104, "collection already loaded", false, Blame.INPUT),
  ILLEGAL_COLLECTION_SCHEMA(105, "illegal collection schema", false, Blame.INPUT),
  COLLECTION_ON_RECOVERING(106, "collection on recovering", true, Blame.INPUT),
  COLLECTION_SCHEMA_MISMATCH(109, "collection schema mismatch", false, Blame.INPUT),
  PARTITION_NOT_FOUND(200, "partition not found", false, Blame.SYSTEM),
  PARTITION_NOT_LOADED(201, "partition not loaded", false, Blame.SYSTEM),
  PARTITION_NOT_FULLY_LOADED(202, "partition not fully loaded", true, Blame.SYSTEM),
  GENERAL_CAPACITY_EXCEEDED(250, "general capacity exceeded", false, Blame.SYSTEM),
  RESOURCE_GROUP_NOT_FOUND(300, "resource group not found", false, Blame.INPUT),
  REPLICA_NOT_FOUND(400, "replica not found", false, Blame.SYSTEM),
  REPLICA_NOT_AVAILABLE(401, "replica not available", false, Blame.SYSTEM),
  CHANNEL_NOT_FOUND(500, "channel not found", false, Blame.SYSTEM),
  CHANNEL_LACK(501, "channel lacks", false, Blame.SYSTEM),
  CHANNEL_NOT_AVAILABLE(503, "channel not available", false, Blame.SYSTEM),
  SEGMENT_NOT_FOUND(600, "segment not found", false, Blame.SYSTEM),
  SEGMENT_NOT_LOADED(601, "segment not loaded", false, Blame.SYSTEM),
  SEGMENT_LOAD_FAILED(604, "segment load failed", false, Blame.SYSTEM),
  INDEX_NOT_FOUND(700, "index not found", false, Blame.SYSTEM),
  INDEX_NOT_SUPPORTED(701, "index type not supported", false, Blame.SYSTEM),
  INDEX_DUPLICATE(702, "index duplicates", false, Blame.INPUT),
  DATABASE_NOT_FOUND(800, "database not found", false, Blame.SYSTEM),
  DATABASE_NUM_LIMIT(801, "exceeded the limit number of database", false, Blame.INPUT),
  DATABASE_INVALID_NAME(802, "invalid database name", false, Blame.INPUT),
  NODE_NOT_FOUND(901, "node not found", false, Blame.SYSTEM),
  NODE_OFFLINE(902, "node offline", false, Blame.SYSTEM),
  NODE_NOT_AVAILABLE(905, "node not available", false, Blame.SYSTEM),
  IO_KEY_NOT_FOUND(1000, "key not found", false, Blame.SYSTEM),
  IO_FAILED(1001, "IO failed", false, Blame.SYSTEM),
  IO_UNEXPECTED_EOF(1002, "unexpected EOF", true, Blame.SYSTEM),
  DATA_INTEGRITY(1009, "data integrity check failed", false, Blame.SYSTEM),
  PARAMETER_INVALID(1100, "invalid parameter", false, Blame.INPUT),
  PARAMETER_MISSING(1101, "missing parameter", false, Blame.INPUT),
  PARAMETER_TOO_LARGE(1102, "parameter too large", false, Blame.INPUT),
  METRIC_NOT_FOUND(1200, "metric not found", false, Blame.SYSTEM),
  NOT_AUTHENTICATED(1400, "not authenticated", false, Blame.INPUT),
  PRIVILEGE_NOT_PERMITTED(1401, "privilege not permitted", false, Blame.INPUT),
  ALIAS_NOT_FOUND(1600, "alias not found", false, Blame.SYSTEM),
  ALIAS_COLLECTION_NAME_CONFLICT(1601, "alias and collection name conflict", false, Blame.SYSTEM),
  ALIAS_ALREADY_EXIST(1602, "alias already exist", false, Blame.SYSTEM),
  FIELD_NOT_FOUND(1700, "field not found", false, Blame.SYSTEM),
  FIELD_INVALID_NAME(1701, "field name invalid", false, Blame.SYSTEM),
  NEED_AUTHENTICATE(1800, "user hasn't authenticated", false, Blame.INPUT),
  INCORRECT_PARAMETER_FORMAT(1801, "can only accept json format request", false, Blame.INPUT),
  MISSING_REQUIRED_PARAMETERS(1802, "missing required parameters", false, Blame.INPUT),
  MARSHAL_COLLECTION_SCHEMA(1803, "fail to marshal collection schema", false, Blame.SYSTEM),
  INVALID_INSERT_DATA(1804, "fail to deal the insert data", false, Blame.INPUT),
  INVALID_SEARCH_RESULT(1805, "fail to parse search result", false, Blame.SYSTEM),
  CHECK_PRIMARY_KEY(
      1806,
      "please check the primary key and its' type can only in [int, string]",
      false,
      Blame.SYSTEM),
  SEGCORE(2000, "segcore error", false, Blame.SYSTEM),
  QUERY_PLAN(2201, "query plan failed", false, Blame.INPUT),
  INCONSISTENT_REQUERY(2200, "inconsistent requery result", true, Blame.SYSTEM),
  COMPACTION_CLUSTERING_UNSUPPORTED(
      2304, "collection not support clustering compaction", false, Blame.SYSTEM),
  OPERATION_UNSUPPORTED(3000, "unsupported operation", false, Blame.SYSTEM),
  CANCELED(10000, "context canceled", false, Blame.SYSTEM),
  DEADLINE_EXCEEDED(10001, "deadline exceeded", false, Blame.SYSTEM),
  UNEXPECTED(65535, "unexpected error", false, Blame.SYSTEM);

  private final int number;
  private final String text;
  private final boolean retriable;
  private final Blame blame;

  ErrorCode(int number, String text, boolean retriable, Blame blame) {
    this.number = number;
    this.text = text;
    this.retriable = retriable;
    this.blame = blame;
  }

  /// The `code` of the wire status.
  public int number() {
    return number;
  }

  /// Base text of the message.
  public String text() {
    return text;
  }

  /// Whether the same call may succeed later.
  public boolean isRetriable() {
    return retriable;
  }

  /// Who has to act, unless the exception says otherwise.
  public Blame blame() {
    return blame;
  }
}
