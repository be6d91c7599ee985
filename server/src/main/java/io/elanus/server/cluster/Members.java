package io.elanus.server.cluster;

import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.NodeId;
import io.elanus.base.loop.Loop;
import io.elanus.base.loop.Threads;
import io.elanus.engine.storage.meta.KeyValue;
import io.elanus.engine.storage.meta.MetaStore;
import io.elanus.server.cluster.Session.Member;
import io.elanus.wire.service.NodeLinks;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/// The processes that are alive, and links to their services.
///
/// Thread-safe: readers see immutable snapshots.
public final class Members implements AutoCloseable {
  private final Connector connector;
  private final PrefixFollower follower;
  private volatile Map<NodeId, Member> alive = Map.of();

  public Members(MetaStore meta, Threads threads, Loop loop, Connector connector) {
    this.connector = connector;
    this.follower = new PrefixFollower(meta, threads, loop, Session.PREFIX, this::changed);
  }

  /// Completes once those alive are known.
  public CompletableFuture<Void> start() {
    return follower.start();
  }

  private void changed(Map<String, KeyValue> entries) {
    TreeMap<NodeId, Member> now = new TreeMap<>();
    for (KeyValue entry : entries.values()) {
      Session.memberOf(entry).ifPresent(member -> now.put(member.node(), member));
    }
    Map<NodeId, Member> before = alive;
    alive = now;
    before.forEach((node, member) -> {
      if (!now.containsKey(node)) {
        connector.forget(member);
      }
    });
  }

  /// Those that serve `role`, by id.
  public List<Member> with(Role role) {
    return alive.values().stream().filter(member -> member.roles().contains(role)).toList();
  }

  /// Links to `service` of every process that serves `role`.
  public <S> NodeLinks<S> links(Role role, Class<S> service) {
    return new Links<>(role, service);
  }

  private final class Links<S> implements NodeLinks<S> {
    private final Role role;
    private final Class<S> service;
    private final ConcurrentSkipListMap<NodeId, S> clients = new ConcurrentSkipListMap<>();

    Links(Role role, Class<S> service) {
      this.role = role;
      this.service = service;
    }

    @Override
    public List<NodeId> nodes() {
      return with(role).stream().map(Member::node).toList();
    }

    @Override
    public S node(NodeId id) {
      Member member = alive.get(id);
      if (member == null || !member.roles().contains(role)) {
        clients.remove(id);
        throw DbException.withFields(ErrorCode.NODE_NOT_FOUND, "node", id);
      }
      return clients.computeIfAbsent(id, _ -> connector.connect(member, service));
    }
  }

  @Override
  public void close() {
    follower.close();
  }
}
