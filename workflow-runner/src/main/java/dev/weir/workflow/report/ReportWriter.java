package dev.weir.workflow.report;

import dev.weir.workflow.record.RunRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes the report: one HTML file with the charting library, the data and the drawing code in it,
 * which opens without a network (its content security policy forbids to use one). The same runs
 * give the same bytes.
 */
public final class ReportWriter {

  private static final String ECHARTS = "org.webjars/echarts";
  private static final Pattern SLOT = Pattern.compile("@@([A-Z]+)@@");

  private ReportWriter() {}

  /**
   * Writes the report on one or several runs of a workflow, side by side on one time axis.
   *
   * @param runs the runs, at least one; the first is what the others are compared with
   * @param html where to; replaced when it exists
   * @throws IOException when it cannot be written, or the charting library is not on the class path
   * @throws IllegalArgumentException when there is no run
   */
  public static void write(List<RunRecord> runs, Path html) throws IOException {
    Files.writeString(html, toHtml(runs));
  }

  static String toHtml(List<RunRecord> runs) throws IOException {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("A report needs at least one run: give a run record");
    }
    Map<String, String> content =
        Map.of(
            "TITLE", escapeHtml("Workflow " + runs.get(0).workflow()),
            "STYLE", own("report.css"),
            "DATA", escapeJson(ReportData.of(runs)),
            "ECHARTS", escapeScript(echarts()),
            "SCRIPT", escapeScript(own("report.js")));
    return SLOT.matcher(own("report.html"))
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

  private static String own(String name) throws IOException {
    try (InputStream in = ReportWriter.class.getResourceAsStream(name)) {
      return text(in, name);
    }
  }

  /** Asks the library's jar which version it is, since its path holds the version. */
  private static String echarts() throws IOException {
    ClassLoader loader = ReportWriter.class.getClassLoader();
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
