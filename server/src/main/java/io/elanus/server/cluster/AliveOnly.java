package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/// Keeps a process that was paused from answering after others took it for gone: segments on it may
/// lack deletes by then, and its caches what was invalidated (rule R-11).
///
/// Thread-safe: stateless.
public final class AliveOnly {
  private AliveOnly() {}

  /// `target`, refusing calls with error 905 while `isAlive` says no. All methods of `service`
  /// answer futures.
  public static <S> S guard(Class<S> service, S target, BooleanSupplier isAlive) {
    Object guarded =
        Proxy.newProxyInstance(
            service.getClassLoader(),
            new Class<?>[] {service},
            (self, method, arguments) -> {
              if (method.getDeclaringClass() != Object.class && !isAlive.getAsBoolean()) {
                return CompletableFuture.failedFuture(
                    DbException.described(
                        ErrorCode.NODE_NOT_AVAILABLE, "this process is not part of the cluster"));
              }
              try {
                return method.invoke(target, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            });
    return service.cast(guarded);
  }
}
