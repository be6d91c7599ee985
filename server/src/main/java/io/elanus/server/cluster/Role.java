package io.elanus.server.cluster;

/// What a process may serve.
public enum Role {
  COORDINATOR,
  PROXY,
  STREAMING_NODE,
  QUERY_NODE,
  DATA_NODE
}
