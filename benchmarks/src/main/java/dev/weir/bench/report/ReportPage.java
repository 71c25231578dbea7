package dev.weir.bench.report;

import dev.weir.workflow.htmlreport.OfflinePage;
import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;

/**
 * Builds one HTML file of an experiment, which works without a network. It combines the shared
 * parts with those of the experiment beside its class: the body ({@code .html}), additional style
 * ({@code .css}) and the script ({@code .js}), which uses {@code bench}.
 */
public final class ReportPage {
  private static final String BODY = "@@BODY@@";

  private ReportPage() {}

  /**
   * Builds a page.
   *
   * @param owner the class beside which the experiment's parts are
   * @param name of the parts, without extension
   * @param title plain text
   * @param json the data; the text of its key {@code tables} is shown below the body
   * @throws IOException if a part or the charting library is not on the class path
   */
  public static String of(Class<?> owner, String name, String title, String json)
      throws IOException {
    return OfflinePage.of(
        new OfflinePage.Parts(
            shared(".html").replace(BODY, OfflinePage.resource(owner, name + ".html").strip()),
            shared(".css") + OfflinePage.resource(owner, name + ".css"),
            echarts() + shared(".js") + OfflinePage.resource(owner, name + ".js")),
        title,
        json);
  }

  /** Reads the charting library. Its path contains the version, which its jar's properties hold. */
  private static String echarts() throws IOException {
    Properties about = new Properties();
    about.load(
        new StringReader(
            OfflinePage.resource(
                ReportPage.class, "/META-INF/maven/org.webjars/echarts/pom.properties")));
    return OfflinePage.resource(
            ReportPage.class,
            "/META-INF/resources/webjars/echarts/"
                + about.getProperty("version")
                + "/echarts.min.js")
        + "\n";
  }

  private static String shared(String ending) throws IOException {
    return OfflinePage.resource(ReportPage.class, "bench" + ending);
  }
}
