package dev.weir.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages of the service and the report are in two modules, and have the same colours. */
class PageColoursTest {
  private static final Pattern COLOUR = Pattern.compile("(--[a-z]+): (#[0-9a-f]+);");

  @Test
  void colourOfTheServiceIsThatOfTheReport() throws IOException {
    List<String> service = colours("/webapps/static/weir.css");

    assertThat(service).hasSizeGreaterThan(10);
    assertThat(colours("/dev/weir/workflow/htmlreport/report.css")).containsAll(service);
  }

  /** Returns each colour with its name: those of the light theme are first. */
  private static List<String> colours(String resource) throws IOException {
    try (InputStream in = PageColoursTest.class.getResourceAsStream(resource)) {
      String css = new String(in.readAllBytes(), UTF_8);
      int dark = css.indexOf("prefers-color-scheme: dark");
      int print = css.contains("@media print") ? css.indexOf("@media print") : css.length();
      return COLOUR
          .matcher(css.substring(0, print))
          .results()
          .map(each -> (each.start() < dark ? "light " : "dark ") + text(each))
          .toList();
    }
  }

  private static String text(MatchResult each) {
    return each.group(1) + " " + each.group(2);
  }
}
