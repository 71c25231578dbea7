package dev.weir.workflow.htmlreport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Builds an HTML page that contains the data and the drawing code, and opens without a network. All
 * pages share a frame.
 */
public final class OfflinePage {

  private static final String CONTENT = "@@CONTENT@@";
  private static final Pattern SLOT = Pattern.compile("@@([A-Z]+)@@");

  private OfflinePage() {}

  /**
   * The parts of a page.
   *
   * @param html the content of the page's body; {@code @@TITLE@@} in it stands for the title
   * @param style CSS
   * @param script JavaScript
   */
  public record Parts(String html, String style, String script) {}

  /**
   * Builds a page from parts.
   *
   * @param title plain text
   * @param json the data, which the script finds in the element {@code data}
   * @throws IOException when the frame is not on the class path
   */
  public static String of(Parts parts, String title, String json) throws IOException {
    Map<String, String> content =
        Map.of(
            "TITLE", escapeHtml(title),
            "STYLE", parts.style(),
            "DATA", escapeJson(json),
            "SCRIPT", escapeScript(parts.script()));
    String framed = resource(OfflinePage.class, "page.html").replace(CONTENT, parts.html().strip());
    return SLOT.matcher(framed)
        .replaceAll(
            slot -> Matcher.quoteReplacement(content.getOrDefault(slot.group(1), slot.group())));
  }

  /**
   * Escapes the end tag, which alone is special within a script element. The added backslash has no
   * effect in JavaScript strings.
   */
  static String escapeScript(String script) {
    return script.replaceAll("(?i)</(script)", "<\\\\/$1").replace("<!--", "<\\!--");
  }

  /** Escapes JSON so that it contains no tags. */
  static String escapeJson(String json) {
    return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
  }

  private static String escapeHtml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /**
   * Reads a text resource next to a class.
   *
   * @param name name of the resource
   * @return its content
   * @throws IOException when it is not on the class path
   */
  public static String resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("No resource " + name + " on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
