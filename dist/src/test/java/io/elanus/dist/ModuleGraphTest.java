package io.elanus.dist;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Who may use whom: the table below is the whole truth, and packages within a module have no
/// cycles.
class ModuleGraphTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /// Module folder → package prefix.
  private static final Map<String, String> MODULES =
      Map.ofEntries(
          Map.entry("base", "io.elanus.base"),
          Map.entry("wire/core", "io.elanus.wire"),
          Map.entry("engine/expr", "io.elanus.engine.expr"),
          Map.entry("engine/index", "io.elanus.engine.index"),
          Map.entry("engine/storage", "io.elanus.engine.storage"),
          Map.entry("engine/log", "io.elanus.engine.log"),
          Map.entry("engine/segment", "io.elanus.engine.segment"),
          Map.entry("role/coord", "io.elanus.role.coord"),
          Map.entry("role/streaming", "io.elanus.role.streaming"),
          Map.entry("role/query", "io.elanus.role.query"),
          Map.entry("role/data", "io.elanus.role.data"),
          Map.entry("role/proxy", "io.elanus.role.proxy"),
          Map.entry("server", "io.elanus.server"),
          Map.entry("dist", "io.elanus.dist"));

  /// Module → what it may use besides itself.
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("base", Set.of()),
          Map.entry("wire/core", Set.of("base")),
          Map.entry("engine/expr", Set.of("base")),
          Map.entry("engine/index", Set.of("base")),
          Map.entry("engine/storage", Set.of("base")),
          Map.entry("engine/log", Set.of("base", "engine/storage")),
          Map.entry(
              "engine/segment", Set.of("base", "engine/expr", "engine/index", "engine/storage")),
          Map.entry("role/coord", roleMay("engine/storage")),
          Map.entry("role/streaming", roleMay("engine/storage", "engine/log", "engine/segment")),
          Map.entry(
              "role/query",
              roleMay("engine/storage", "engine/expr", "engine/index", "engine/segment")),
          Map.entry(
              "role/data",
              roleMay("engine/storage", "engine/expr", "engine/index", "engine/segment")),
          Map.entry("role/proxy", roleMay("engine/expr", "engine/index")),
          Map.entry(
              "server",
              Set.of(
                  "base",
                  "wire/core",
                  "engine/storage",
                  "engine/log",
                  "role/coord",
                  "role/streaming",
                  "role/query",
                  "role/data",
                  "role/proxy")),
          Map.entry("dist", Set.of("base", "server")));

  private static Set<String> roleMay(String... engines) {
    Set<String> allowed = new TreeSet<>(Set.of("base", "wire/core"));
    allowed.addAll(List.of(engines));
    return allowed;
  }

  private static JavaClasses classesOf(String module) {
    Path classes = ROOT.resolve(module).resolve("target/classes");
    assertThat(Files.isDirectory(classes)).as("%s is built", module).isTrue();
    return new ClassFileImporter().importPath(classes);
  }

  private static String moduleOf(JavaClass used) {
    String best = "";
    for (Map.Entry<String, String> module : MODULES.entrySet()) {
      String name = used.getPackageName();
      boolean inside = (name + ".").startsWith(module.getValue() + ".");
      if (inside && !name.startsWith("io.elanus.wire.proto")) {
        best = module.getKey();
      }
    }
    return best;
  }

  @Test
  void modulesUseOnlyWhatTheTableAllows() {
    List<String> wrong = new ArrayList<>();
    for (String module : MODULES.keySet()) {
      for (JavaClass user : classesOf(module)) {
        for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
          String used = moduleOf(dependency.getTargetClass());
          if (!used.isEmpty()
              && !used.equals(module)
              && !ALLOWED.getOrDefault(module, Set.of()).contains(used)) {
            wrong.add(user.getName() + " (" + module + ") uses " + used);
          }
        }
      }
    }
    assertThat(wrong.stream().distinct().toList()).isEmpty();
  }

  @Test
  void packagesOfAModuleHaveNoCycles() {
    for (Map.Entry<String, String> module : MODULES.entrySet()) {
      slices()
          .matching(module.getValue() + ".(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .check(classesOf(module.getKey()));
    }
  }

  /// forbiddenapis does the rest, but knows only the methods of the JDK that Maven runs on.
  @Test
  void threadsAndPausesOfNewerJdksAreInjectedToo() {
    Set<String> methods = Set.of("sleep", "startVirtualThread", "ofVirtual", "ofPlatform");
    List<String> wrong = new ArrayList<>();
    for (String module : MODULES.keySet()) {
      for (JavaClass user : classesOf(module)) {
        for (JavaMethodCall call : user.getMethodCallsFromSelf()) {
          boolean ofThread = call.getTargetOwner().isEquivalentTo(Thread.class);
          if (ofThread && methods.contains(call.getName())) {
            wrong.add(user.getName());
          }
        }
      }
    }
    assertThat(wrong.stream().distinct())
        .containsExactlyInAnyOrder(
            "io.elanus.base.loop.SystemThreads", "io.elanus.dist.ShutdownSignal");
  }

  @Test
  void networkAndProtocolLibrariesStayAtTheEdges() {
    Map<String, List<String>> fences =
        Map.of(
            "io.netty", List.of("io.elanus.server.rpc"),
            "io.grpc", List.of("io.elanus.server", "io.elanus.role.proxy.grpc"),
            "com.google.protobuf", List.of("io.elanus.role.proxy.grpc", "io.elanus.wire.status"),
            "io.elanus.wire.proto", List.of("io.elanus.role.proxy.grpc", "io.elanus.wire.status"),
            "org.rocksdb", List.of("io.elanus.engine.storage.meta"));
    List<String> wrong = new ArrayList<>();
    for (String module : MODULES.keySet()) {
      for (JavaClass user : classesOf(module)) {
        for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
          String used = dependency.getTargetClass().getPackageName();
          for (Map.Entry<String, List<String>> fence : fences.entrySet()) {
            boolean fenced = (used + ".").startsWith(fence.getKey() + ".");
            boolean inside = fence.getValue().stream().anyMatch(user.getPackageName()::startsWith);
            if (fenced && !inside) {
              wrong.add(user.getName() + " uses " + used);
            }
          }
        }
      }
    }
    assertThat(wrong.stream().distinct().toList()).isEmpty();
  }
}
