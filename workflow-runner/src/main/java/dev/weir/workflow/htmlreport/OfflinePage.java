package dev.weir.workflow.htmlreport;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Builds an HTML page that contains the data and the drawing code, and opens without a network. The
 * content comes from three resources of one name: {@code .html}, {@code .css} and {@code .js}. All
 * pages share a frame.
 */
public final class OfflinePage {

  private static final String ECHARTS = "org.webjars/echarts";
  private static final String CONTENT = "@@CONTENT@@";
  private static final Pattern SLOT = Pattern.compile("@@([A-Z]+)@@");

  private OfflinePage() {}

  /**
   * Builds a page from resources.
   *
   * @param owner the class next to the resources
   * @param name name of the resources, without suffix
   * @param title plain text
   * @param json the data, which the script finds in the element {@code data}
   * @return the page
   * @throws IOException when a resource or the charting library is not on the class path
   */
  public static String of(Class<?> owner, String name, String title, String json)
      throws IOException {
    return of(
        new Parts(
            resource(owner, name + ".html"),
            resource(owner, name + ".css"),
            resource(owner, name + ".js")),
        title,
        json);
  }

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
   * @param parts the parts
   * @param title plain text
   * @param json the data, which the script finds in the element {@code data}
   * @return the page
   * @throws IOException when the frame or the charting library is not on the class path
   */
  public static String of(Parts parts, String title, String json) throws IOException {
    return page(parts, title, json, "<script>\n" + escapeScript(echarts()) + "\n</script>\n");
  }

  /**
   * Builds a page whose script draws without the charting library.
   *
   * @param parts the parts
   * @param title plain text
   * @param json the data, which the script finds in the element {@code data}
   * @return the page
   * @throws IOException when the frame is not on the class path
   */
  static String withoutCharts(Parts parts, String title, String json) throws IOException {
    return page(parts, title, json, "");
  }

  private static String page(Parts parts, String title, String json, String library)
      throws IOException {
    Map<String, String> content =
        Map.of(
            "TITLE", escapeHtml(title),
            "STYLE", parts.style(),
            "DATA", escapeJson(json),
            "LIBRARY", library,
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
   * @param owner the class
   * @param name name of the resource
   * @return its content
   * @throws IOException when it is not on the class path
   */
  public static String resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      return text(in, name);
    }
  }

  /** Reads the charting library. Its path contains the version, which its jar's properties hold. */
  private static String echarts() throws IOException {
    ClassLoader loader = OfflinePage.class.getClassLoader();
    String about = "META-INF/maven/" + ECHARTS + "/pom.properties";
    Properties properties = new Properties();
    try (InputStream in = loader.getResourceAsStream(about)) {
      properties.load(new StringReader(text(in, about)));
    }
    String path =
        "META-INF/resources/webjars/echarts/"
            + properties.getProperty("version")
            + "/echarts.min.js";
    try (InputStream in = loader.getResourceAsStream(path)) {
      return text(in, path);
    }
  }

  private static String text(@Nullable InputStream in, String name) throws IOException {
    if (in == null) {
      throw new IOException(
          "No resource " + name + " on the class path: add the jar of org.webjars:echarts");
    }
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }
}
