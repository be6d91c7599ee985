package io.elanus.server.embedded;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives a JUnit test class a server in memory, started before its tests and closed after them:
///
/// ```java
/// @RegisterExtension static final ElanusExtension db = new ElanusExtension();
/// ```
///
/// or `@ExtendWith(ElanusExtension.class)` with a parameter of type [Elanus].
///
/// Confined to the test class that it is registered with.
public final class ElanusExtension
    implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  private @Nullable Elanus server;

  @Override
  public void beforeAll(ExtensionContext context) {
    if (server == null) {
      server = Elanus.inMemory();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  /// What clients connect to.
  public String uri() {
    return server().uri();
  }

  private Elanus server() {
    if (server == null) {
      throw new IllegalStateException("the server runs only while the tests of its class run");
    }
    return server;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Elanus.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return server();
  }
}
