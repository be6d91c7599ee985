package io.elanus.role.coord.broadcast;

import io.elanus.base.error.Invariant;
import io.elanus.wire.message.ResourceKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Locks on resource keys. A request takes its keys one after another in their sorted order, so two
/// requests can't wait for each other; waiters of a key are served first come first served, so a
/// shared one never overtakes an exclusive one that came earlier (rule B-10).
///
/// Owned by: the broadcaster's loop.
final class KeyTable {
  private record Name(ResourceKey.Domain domain, String key) {}

  /// Who holds a key and who waits for it. Present in the table only while somebody does.
  private static final class Entry {
    final ArrayDeque<Request> waiting = new ArrayDeque<>(2);
    final List<Request> holders = new ArrayList<>(1);
    boolean exclusive;

    boolean admits(ResourceKey key) {
      return key.shared() ? !exclusive : holders.isEmpty();
    }
  }

  /// Keys held or waited for.
  final class Request {
    private final List<ResourceKey> keys;
    private final String owner;
    private final Runnable granted;
    private int held;
    private boolean ended;

    private Request(List<ResourceKey> keys, String owner, Runnable granted) {
      this.keys = keys;
      this.owner = owner;
      this.granted = granted;
    }

    List<ResourceKey> keys() {
      return keys;
    }

    boolean holdsAll() {
      return !ended && held == keys.size();
    }

    /// Frees what is held, leaves the queue; does nothing the second time.
    void release() {
      if (ended) {
        return;
      }
      ended = true;
      if (held < keys.size()) {
        leaveQueue(this);
      }
      while (held > 0) {
        held--;
        free(keys.get(held), this);
      }
      settle();
    }
  }

  private final Map<Name, Entry> entries = new HashMap<>();
  private final ArrayDeque<Name> freed = new ArrayDeque<>();
  private boolean settling;

  private static Name name(ResourceKey key) {
    return new Name(key.domain(), key.key());
  }

  /// Takes normalized `keys` in turn; `granted` runs once all are held, perhaps within the call.
  Request acquire(List<ResourceKey> keys, String owner, Runnable granted) {
    Request request = new Request(keys, owner, granted);
    advance(request);
    return request;
  }

  /// Takes all `keys` at once, or none: null when one is held or waited for by others.
  @Nullable Request tryAcquire(List<ResourceKey> keys, String owner) {
    for (ResourceKey key : keys) {
      Entry entry = entries.get(name(key));
      if (entry != null && (!entry.admits(key) || !entry.waiting.isEmpty())) {
        return null;
      }
    }
    Request request = new Request(keys, owner, () -> {});
    advance(request);
    Invariant.check(request.holdsAll(), "keys %s were free and are not", keys);
    return request;
  }

  private void advance(Request request) {
    while (request.held < request.keys.size()) {
      ResourceKey key = request.keys.get(request.held);
      Entry entry = entries.computeIfAbsent(name(key), _ -> new Entry());
      if (!entry.admits(key) || !entry.waiting.isEmpty()) {
        entry.waiting.add(request);
        return;
      }
      hold(entry, key, request);
    }
    request.granted.run();
  }

  private static void hold(Entry entry, ResourceKey key, Request request) {
    entry.holders.add(request);
    entry.exclusive = !key.shared();
    request.held++;
  }

  private void leaveQueue(Request request) {
    Name name = name(request.keys.get(request.held));
    Entry entry = entries.get(name);
    boolean removed = entry != null && entry.waiting.remove(request);
    Invariant.check(removed, "%s does not wait for %s", request.owner, name);
    freed.add(name);
  }

  private void free(ResourceKey key, Request request) {
    Name name = name(key);
    Entry entry = entries.get(name);
    Invariant.check(entry != null, "%s is not held", name);
    if (entry == null) {
      return;
    }
    entry.holders.remove(request);
    entry.exclusive = false;
    freed.add(name);
  }

  /// Serves the waiters of freed keys. A granted waiter may release others before it returns; those
  /// names queue up here instead of deepening the stack.
  private void settle() {
    if (settling) {
      return;
    }
    settling = true;
    try {
      for (Name name = freed.poll(); name != null; name = freed.poll()) {
        serve(name);
      }
    } finally {
      settling = false;
    }
  }

  private void serve(Name name) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return;
    }
    while (true) {
      Request head = entry.waiting.peek();
      if (head == null) {
        break;
      }
      ResourceKey key = head.keys.get(head.held);
      if (!entry.admits(key)) {
        return;
      }
      entry.waiting.poll();
      hold(entry, key, head);
      advance(head);
    }
    if (entry.holders.isEmpty() && entry.waiting.isEmpty()) {
      entries.remove(name, entry);
    }
  }

  /// Keys that somebody holds or waits for.
  int size() {
    return entries.size();
  }

  /// Every key that somebody waits for, by name (rule B-42).
  List<LockView> contended() {
    List<LockView> views = new ArrayList<>();
    entries.forEach((name, entry) -> {
      if (!entry.waiting.isEmpty()) {
        views.add(
            new LockView(
                name.domain + ":" + name.key,
                entry.exclusive,
                entry.holders.stream().map(holder -> holder.owner).toList(),
                entry.waiting.stream().map(waiter -> waiter.owner).toList()));
      }
    });
    views.sort(Comparator.comparing(LockView::key));
    return views;
  }
}
