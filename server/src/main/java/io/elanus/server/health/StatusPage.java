package io.elanus.server.health;

import io.elanus.server.health.NodeState.Broadcast;
import io.elanus.server.health.NodeState.Channel;
import io.elanus.server.health.NodeState.Collection;
import io.elanus.server.health.NodeState.Index;
import io.elanus.server.health.NodeState.Lock;
import io.elanus.server.health.NodeState.Memory;
import io.elanus.server.health.NodeState.Server;
import io.elanus.wire.http.HttpReply;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The status page: plain HTML, no scripts, readable in a terminal browser.
///
/// Thread-safe: stateless.
final class StatusPage {
  /// A page of more is slow to read and to send; the JSON has all.
  static final int SHOWN_COLLECTIONS = 500;

  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="refresh" content="5">
      <title>Elanus</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem;
             color: #1b2430; background: #fbfbf9; }
      h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
      div { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #e3e3dc;
               vertical-align: top; }
      th { font-weight: 500; color: #5a6472; } td.n { text-align: right; }
      @media (prefers-color-scheme: dark) { body { color: #e4e6ea; background: #16191d; }
        a { color: #8ab4f8; } th, td { border-color: #2b3037; } th { color: #9aa4b2; } }
      </style>
      </head>
      <body>
      <h1>Elanus</h1>
      <p><a href="/healthz">health</a> · <a href="/metrics">metrics</a> ·
      <a href="/api/v1/_cluster/info">this page as JSON</a></p>
      """;

  private StatusPage() {}

  static HttpReply render(NodeState state) {
    StringBuilder html = new StringBuilder(HEAD);
    server(html, state.server());
    collections(html, state.collections());
    broadcasts(html, state.broadcasts());
    locks(html, state.locks());
    channels(html, state.channels());
    return HttpReply.html(html.append("</body>\n</html>\n").toString());
  }

  private static void server(StringBuilder html, Server server) {
    Memory memory = server.memory();
    String resident = memory.resident() == null ? "" : ", process " + mebibytes(memory.resident());
    begin(html, "Server");
    row(html, "state", server.state());
    row(html, "version", server.version() + " (Milvus contract " + server.contract() + ")");
    row(html, "clients", server.clients());
    row(html, "data", server.data());
    row(html, "up for", duration(server.uptimeSeconds()));
    row(
        html,
        "memory",
        "heap " + mebibytes(memory.heapUsed()) + " of " + mebibytes(memory.heapMax()) + resident);
    row(html, "coordinator term", Long.toString(server.coordinatorTerm()));
    end(html);
  }

  private static void collections(StringBuilder html, List<Collection> collections) {
    begin(html, "Collections (" + collections.size() + ")");
    html.append("<tr><th>name</th><th>load</th><th>rows</th><th>indexes</th><th>fields</th>")
        .append("<th>partitions</th><th>shards</th></tr>\n");
    for (Collection collection :
        collections.subList(0, Math.min(SHOWN_COLLECTIONS, collections.size()))) {
      html.append("<tr>");
      cell(html, collection.database() + "." + collection.name());
      cell(html, load(collection));
      number(html, collection.rows());
      cell(
          html,
          collection.indexes().stream().map(StatusPage::index).collect(Collectors.joining("; ")));
      number(html, collection.fields());
      number(html, collection.partitions());
      number(html, collection.shards());
      html.append("</tr>\n");
    }
    end(html);
    if (collections.size() > SHOWN_COLLECTIONS) {
      html.append("<p>and ")
          .append(collections.size() - SHOWN_COLLECTIONS)
          .append(" more, all in the JSON</p>\n");
    }
  }

  private static String load(Collection collection) {
    return collection.load().equals("loading")
        ? "loading " + collection.loadedPercent() + " %"
        : collection.load();
  }

  private static String index(Index index) {
    String progress =
        index.state().equals("in progress")
            ? " " + index.indexedRows() + " of " + index.totalRows() + " rows"
            : "";
    String why = index.failReason().isEmpty() ? "" : " (" + index.failReason() + ")";
    return index.name() + " " + index.type() + " " + index.state() + progress + why;
  }

  private static void broadcasts(StringBuilder html, List<Broadcast> broadcasts) {
    if (broadcasts.isEmpty()) {
      return;
    }
    begin(html, "Schema changes under way");
    html.append("<tr><th>type</th><th>for</th><th>holds</th><th>not appended</th>")
        .append("<th>not acknowledged</th><th>tried</th><th>last error</th></tr>\n");
    for (Broadcast broadcast : broadcasts) {
      html.append("<tr>");
      cell(html, broadcast.type());
      cell(html, broadcast.ageMs() + " ms");
      cell(html, String.join(", ", broadcast.keys()));
      cell(html, String.join(", ", broadcast.notAppended()));
      cell(html, String.join(", ", broadcast.notAcked()));
      number(html, broadcast.appendAttempts() + broadcast.callbackAttempts());
      cell(html, broadcast.lastError());
      html.append("</tr>\n");
    }
    end(html);
  }

  private static void locks(StringBuilder html, List<Lock> locks) {
    if (locks.isEmpty()) {
      return;
    }
    begin(html, "Waited for");
    for (Lock lock : locks) {
      String who =
          "held by "
              + String.join(", ", lock.heldBy())
              + "; waiting: "
              + String.join(", ", lock.waitedForBy());
      row(html, lock.key(), who);
    }
    end(html);
  }

  private static void channels(StringBuilder html, List<Channel> channels) {
    begin(html, "Channels");
    channels.forEach(channel -> row(html, channel.name(), channel.open() ? "open" : "not open"));
    end(html);
  }

  private static void begin(StringBuilder html, String title) {
    html.append("<h2>").append(escape(title)).append("</h2>\n<div><table>\n");
  }

  private static void end(StringBuilder html) {
    html.append("</table></div>\n");
  }

  private static void row(StringBuilder html, String label, String value) {
    html.append("<tr><th>").append(escape(label)).append("</th>");
    cell(html, value);
    html.append("</tr>\n");
  }

  private static void cell(StringBuilder html, String text) {
    html.append("<td>").append(escape(text)).append("</td>");
  }

  private static void number(StringBuilder html, long value) {
    html.append("<td class=\"n\">").append(value).append("</td>");
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
  }

  private static String duration(long seconds) {
    Duration time = Duration.ofSeconds(seconds);
    return time.toDays() > 0
        ? time.toDays() + " d " + time.toHoursPart() + " h"
        : time.toHours() > 0
            ? time.toHours() + " h " + time.toMinutesPart() + " min"
            : time.toMinutes() + " min " + time.toSecondsPart() + " s";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
