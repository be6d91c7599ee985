package io.elanus.server.node;

import io.elanus.base.id.PChannel;
import io.elanus.server.health.ManagementHandler;
import io.elanus.server.health.ManagementHandler.ComponentHealth;
import io.elanus.server.health.ManagementHandler.StatusSection;
import io.elanus.wire.meta.CollectionMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// What the management port shows of a standalone process.
///
/// Thread-safe: asks thread-safe parts.
final class NodeStatus implements ManagementHandler.Sources {
  private static final List<String> ROLES =
      List.of("proxy", "coordinator", "streamingnode", "querynode", "datanode");

  private final StandaloneNode node;
  private final Roles roles;

  NodeStatus(StandaloneNode node, Roles roles) {
    this.node = node;
    this.roles = roles;
  }

  @Override
  public List<ComponentHealth> health() {
    String code = node.healthLine().getKey() ? "Healthy" : "Abnormal";
    return ROLES.stream().map(role -> new ComponentHealth(role, code)).toList();
  }

  @Override
  public CompletableFuture<List<StatusSection>> status() {
    List<StatusSection> sections = new ArrayList<>();
    Map.Entry<Boolean, String> health = node.healthLine();
    sections.add(
        new StatusSection(
            "Server",
            List.of(
                Map.entry("state", health.getKey() ? "healthy" : "abnormal: " + health.getValue()),
                Map.entry("version", BuildVersion.PRODUCT),
                Map.entry("clients", node.address() + ":" + node.port()),
                Map.entry("data", node.dataFolder()),
                Map.entry("coordinator term", Long.toString(roles.coordinator().term())))));
    List<Map.Entry<String, String>> channels = new ArrayList<>();
    for (PChannel pchannel : roles.coordinator().pchannels()) {
      channels.add(
          Map.entry(
              pchannel.name(),
              roles.coordinator().channelOwner(pchannel) == null ? "not open" : "open"));
    }
    sections.add(new StatusSection("Channels", channels));
    List<Map.Entry<String, String>> collections = new ArrayList<>();
    for (CollectionMeta meta : roles.coordinator().catalogView().collections()) {
      collections.add(
          Map.entry(
              meta.owner().databaseName() + "." + meta.name(),
              meta.schema().fields().size()
                  + " fields, "
                  + meta.partitions().size()
                  + " partitions, "
                  + meta.shards()
                  + " shards"));
    }
    sections.add(new StatusSection("Collections", collections));
    return CompletableFuture.completedFuture(sections);
  }
}
