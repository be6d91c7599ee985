/// The Milvus service over gRPC: messages to domain values and back, nothing else. Reading order:
/// [MilvusServiceHandler], [MilvusCalls], its groups of calls ([CatalogCalls], [DataCalls],
/// [IndexCalls], [OpsCalls]), then the converters ([FieldDataReader], [FieldDataWriter],
/// [SchemaConverter]).
@NullMarked
package io.elanus.role.proxy.grpc;

import org.jspecify.annotations.NullMarked;
