package io.elanus.server.rpc;

import io.elanus.wire.service.CallContext;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/// One internal call of service `S`: its wire name and how it is carried.
///
/// Immutable.
record Endpoint<S, Q, R>(String name, Class<Q> request, Class<R> reply, Call<S, Q, R> call) {

  /// The method itself.
  @FunctionalInterface
  interface Call<S, Q, R> {
    CompletableFuture<R> invoke(S service, CallContext context, Q request);
  }

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  /// `elanus.internal.TsoService/allocTimestamp`.
  MethodDescriptor<byte[], byte[]> descriptor() {
    return MethodDescriptor.<byte[], byte[]>newBuilder()
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName("elanus.internal." + name)
        .setRequestMarshaller(BYTES)
        .setResponseMarshaller(BYTES)
        .build();
  }
}
