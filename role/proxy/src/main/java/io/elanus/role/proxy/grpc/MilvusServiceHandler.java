package io.elanus.role.proxy.grpc;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.elanus.role.proxy.api.ProxyApi;
import io.elanus.wire.proto.milvus.InsertRequest;
import io.elanus.wire.proto.milvus.MilvusServiceGrpc;
import io.elanus.wire.proto.milvus.MutationResult;
import io.elanus.wire.proto.milvus.UpsertRequest;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/// The Milvus service, ready to be bound to a gRPC server together with [CallContextInterceptor]:
/// the generated service with inserts and upserts read by [BulkMarshaller].
///
/// Thread-safe: stateless. Runs on event loops and never blocks them.
public final class MilvusServiceHandler implements BindableService {
  private final MilvusCalls calls;
  private final DataCalls data;

  /// `large` converts requests that are too big for an event loop.
  public MilvusServiceHandler(ProxyApi proxy, Executor large, NodeFacts facts) {
    this.data = new DataCalls(proxy, large);
    this.calls = new MilvusCalls(proxy, data, facts);
  }

  @Override
  public ServerServiceDefinition bindService() {
    ServerServiceDefinition generated = calls.bindService();
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> method : generated.getMethods()) {
      String name = method.getMethodDescriptor().getFullMethodName();
      if (name.equals(MilvusServiceGrpc.getInsertMethod().getFullMethodName())) {
        methods.add(
            bulk(MilvusServiceGrpc.getInsertMethod(), InsertRequest.parser(), data::insert));
      } else if (name.equals(MilvusServiceGrpc.getUpsertMethod().getFullMethodName())) {
        methods.add(
            bulk(MilvusServiceGrpc.getUpsertMethod(), UpsertRequest.parser(), data::upsert));
      } else {
        methods.add(method);
      }
    }
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(generated.getServiceDescriptor().getName())
            .setSchemaDescriptor(generated.getServiceDescriptor().getSchemaDescriptor());
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder definition =
        ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(definition::addMethod);
    return definition.build();
  }

  private static <T extends Message> ServerMethodDefinition<BulkRequest<T>, MutationResult> bulk(
      MethodDescriptor<T, MutationResult> generated,
      Parser<T> parser,
      ServerCalls.UnaryMethod<BulkRequest<T>, MutationResult> call) {
    return ServerMethodDefinition.create(
        generated.toBuilder(new BulkMarshaller<>(parser), generated.getResponseMarshaller())
            .build(),
        ServerCalls.asyncUnaryCall(call));
  }
}
