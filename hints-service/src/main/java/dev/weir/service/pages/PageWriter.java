package dev.weir.service.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Writes a JSON answer as an HTML page: an object as a list of names and values, a list of objects
 * as a table. Ids of sets and runs and paths of files are links. All texts are escaped. For one
 * page; not thread-safe.
 */
final class PageWriter {
  private static final String SETS = "hint-sets";
  private static final String RUNS = "runs";

  /** The most columns that fit a usual screen. */
  private static final int MOST_COLUMNS = 9;

  private final String path;
  private final String query;
  private final StringBuilder html = new StringBuilder();

  /**
   * Creates a writer.
   *
   * @param path of the call below {@code /v1/}
   * @param query of the call, as it was sent
   */
  PageWriter(String path, String query) {
    this.path = path;
    this.query = query;
  }

  String page(JsonNode answer) {
    String title = title(answer);
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>")
        .append(escape(title))
        .append(" - Weir</title>\n<link rel=\"stylesheet\" href=\"/static/weir.css\">\n")
        .append("</head>\n<body>\n<nav><a href=\"/\">Weir</a>");
    link("/v1/" + SETS, "Hint sets");
    link("/v1/watchers", "Watchers");
    link("/v1/" + RUNS, "Runs");
    link("/v1/status", "Status");
    html.append("</nav>\n<main>\n<h1>").append(escape(title)).append("</h1>\n");
    if (path.startsWith(RUNS + "/")) {
      html.append("<p>");
      link("/v1/" + path + "/wfformat", "Export as WfFormat");
      html.append("</p>\n");
    }
    value("", answer);
    return html.append("\n</main>\n</body>\n</html>\n").toString();
  }

  private String title(JsonNode answer) {
    if (answer.path("title").isTextual() && answer.path("status").isInt()) {
      return answer.path("title").asText();
    }
    String name = words(path);
    int slash = path.indexOf('/');
    if (slash > 0) {
      // Such as runs/ID: one of several.
      name = words(path.substring(0, slash - 1)) + " " + path.substring(slash + 1);
    } else if (answer.path("path").isTextual()) {
      name += " " + answer.path("path").asText();
    }
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  private void value(String key, JsonNode value) {
    if (value.isObject()) {
      object(value);
    } else if (value.isArray()) {
      array(key, value);
    } else if (value.isNull()) {
      html.append("none");
    } else if (value.isBoolean()) {
      html.append(value.booleanValue() ? "yes" : "no");
    } else if (value.isIntegralNumber() && isBytes(key)) {
      html.append(String.format(Locale.ROOT, "%,d", value.longValue()));
    } else {
      scalar(key, value.asText());
    }
  }

  private void object(JsonNode object) {
    html.append("<dl>\n");
    for (Iterator<Map.Entry<String, JsonNode>> all = object.fields(); all.hasNext(); ) {
      Map.Entry<String, JsonNode> field = all.next();
      html.append("<dt>").append(escape(words(field.getKey()))).append("</dt><dd>");
      value(field.getKey(), field.getValue());
      html.append("</dd>\n");
    }
    html.append("</dl>");
  }

  private void array(String key, JsonNode array) {
    if (array.isEmpty()) {
      html.append("none");
    } else if (array.get(0).isObject()) {
      table(key, array);
    } else {
      html.append("<ul>");
      for (JsonNode element : array) {
        html.append("<li>");
        value(key, element);
        html.append("</li>");
      }
      html.append("</ul>");
    }
  }

  private void table(String key, JsonNode rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.forEach(row -> row.fieldNames().forEachRemaining(columns::add));
    html.append("<div class=\"wide\"><table")
        .append(columns.size() > MOST_COLUMNS ? " class=\"many\"" : "")
        .append("><thead><tr>");
    columns.forEach(
        column -> html.append("<th scope=\"col\">").append(escape(words(column))).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (JsonNode row : rows) {
      html.append("<tr>");
      for (String column : columns) {
        JsonNode cell = row.path(column);
        html.append(cell.isNumber() ? "<td class=\"number\"" : "<td")
            .append(" data-label=\"")
            .append(escape(words(column)))
            .append("\">");
        if (!cell.isMissingNode()) {
          value(column.equals("id") ? key : column, cell);
        }
        html.append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>");
  }

  /** Writes a text, as a link if it names something that has a page. */
  private void scalar(String key, String text) {
    switch (key) {
      case SETS, "set" -> link("/v1/" + SETS + "/" + encode(text), text);
      case "owner" -> link("/v1/" + SETS + "?owner=" + encode(text), text);
      case RUNS, "run" -> link("/v1/" + RUNS + "/" + encode(text), text);
      case "next" -> link("/v1/" + path + "?" + nextQuery(text), text);
      default -> {
        html.append(escape(text));
        if (text.startsWith("/") && isPath(key, text)) {
          link("/v1/explain?path=" + encode(text), "explain");
          link("/v1/provenance?path=" + encode(text), "lineage");
        }
      }
    }
  }

  private static boolean isBytes(String key) {
    return key.contains("bytes") || Set.of("offset", "length", "block-size").contains(key);
  }

  private static boolean isPath(String key, String text) {
    return Set.of("path", "pattern", "file").contains(key)
        && text.chars().noneMatch(c -> "*?{".indexOf(c) >= 0);
  }

  private String nextQuery(String after) {
    StringBuilder next = new StringBuilder();
    for (String parameter : query.split("&", -1)) {
      if (!parameter.isEmpty() && !parameter.startsWith("after=")) {
        next.append(parameter).append('&');
      }
    }
    return next.append("after=").append(encode(after)).toString();
  }

  private void link(String target, String text) {
    html.append(" <a href=\"")
        .append(escape(target))
        .append("\">")
        .append(escape(text))
        .append("</a>");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  private static String words(String key) {
    return key.replace('-', ' ');
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
