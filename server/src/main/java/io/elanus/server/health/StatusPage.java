package io.elanus.server.health;

import io.elanus.wire.http.HttpReply;
import java.util.List;
import java.util.Map;

/// The status page: plain HTML, no scripts, readable in a terminal browser.
///
/// Thread-safe: stateless.
final class StatusPage {
  private static final String HEAD =
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="refresh" content="5">
      <title>Elanus</title>
      <style>
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
             color: #1b2430; background: #fbfbf9; }
      h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #e3e3dc;
               vertical-align: top; }
      th { font-weight: 500; color: #5a6472; width: 18rem; }
      @media (prefers-color-scheme: dark) { body { color: #e4e6ea; background: #16191d; }
        th, td { border-color: #2b3037; } th { color: #9aa4b2; } }
      </style>
      </head>
      <body>
      <h1>Elanus</h1>
      """;

  private StatusPage() {}

  static HttpReply render(List<ManagementHandler.StatusSection> sections) {
    StringBuilder html = new StringBuilder(HEAD);
    for (ManagementHandler.StatusSection section : sections) {
      html.append("<h2>").append(escape(section.title())).append("</h2>\n<table>\n");
      for (Map.Entry<String, String> row : section.rows()) {
        html.append("<tr><th>").append(escape(row.getKey())).append("</th><td>");
        html.append(escape(row.getValue())).append("</td></tr>\n");
      }
      html.append("</table>\n");
    }
    return HttpReply.html(html.append("</body>\n</html>\n").toString());
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
