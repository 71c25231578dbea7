package dev.weir.workflow.report;

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
 * One HTML file with the charting library, the data and the drawing code in it, which opens without
 * a network. It is made of three resources of one name, {@code .html}, {@code .css} and {@code
 * .js}: what is to be seen, how it looks, and what draws it. All pages are framed alike.
 */
public final class OfflinePage {

  private static final String ECHARTS = "org.webjars/echarts";
  private static final String CONTENT = "@@CONTENT@@";
  private static final Pattern SLOT = Pattern.compile("@@([A-Z]+)@@");

  private OfflinePage() {}

  /**
   * Makes a page.
   *
   * @param owner the class that the resources lie beside
   * @param name of the resources, without ending
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
   * What a page is made of.
   *
   * @param html the content of the page's body; {@code @@TITLE@@} in it stands for the title
   * @param style CSS
   * @param script JavaScript
   */
  public record Parts(String html, String style, String script) {}

  /**
   * Makes a page of parts that are at hand.
   *
   * @param parts what it is made of
   * @param title plain text
   * @param json the data, which the script finds in the element {@code data}
   * @return the page
   * @throws IOException when the frame or the charting library is not on the class path
   */
  public static String of(Parts parts, String title, String json) throws IOException {
    Map<String, String> content =
        Map.of(
            "TITLE", escapeHtml(title),
            "STYLE", parts.style(),
            "DATA", escapeJson(json),
            "ECHARTS", escapeScript(echarts()),
            "SCRIPT", escapeScript(parts.script()));
    String framed = resource(OfflinePage.class, "page.html").replace(CONTENT, parts.html().strip());
    return SLOT.matcher(framed)
        .replaceAll(
            slot -> Matcher.quoteReplacement(content.getOrDefault(slot.group(1), slot.group())));
  }

  /** Within a script element only its end tag is special; in strings the backslash is none. */
  static String escapeScript(String script) {
    return script.replaceAll("(?i)</(script)", "<\\\\/$1").replace("<!--", "<\\!--");
  }

  /** JSON may write any character as an escape, so no tag need be in it. */
  static String escapeJson(String json) {
    return json.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029");
  }

  private static String escapeHtml(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /**
   * A text that lies beside a class.
   *
   * @param owner the class
   * @param name of the resource
   * @return what is in it
   * @throws IOException when it is not on the class path
   */
  public static String resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      return text(in, name);
    }
  }

  /** Asks the library's jar which version it is, since its path holds the version. */
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
