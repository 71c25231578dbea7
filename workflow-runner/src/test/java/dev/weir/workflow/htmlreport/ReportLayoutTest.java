package dev.weir.workflow.htmlreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens the page in Chromium, if that is installed. */
class ReportLayoutTest {

  private static final List<Integer> WIDTHS = List.of(360, 768, 1024, 1440, 1470, 1920, 2560);
  private static final int LARGE = 100_000;
  private static final String SCRIPT =
      "</script><script>parent.postMessage('injected','*')</script>";

  /** Runs in the page before its own scripts. */
  private static final String ERRORS =
      "<script>addEventListener('error', (e) => parent.postMessage('error: ' + e.message, '*'));"
          + "</script><style>";

  /** Runs in the page when it is drawn: names what is wider than the page, and a wrong tip. */
  private static final String MEASURE =
      """
      <script>
      setTimeout(() => {
        document.querySelectorAll('.chart').forEach(drawIfDue);
        const wide = [...document.querySelectorAll('body *')].filter((element) => {
          const box = element.getBoundingClientRect();
          return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1)
              && !element.closest('.unseen, .skip');
        });
        const names = wide.slice(0, 5).map((e) => e.tagName + '.' + e.getAttribute('class'));
        const canvas = document.querySelector('.lanes canvas');
        const lane = canvas.getBoundingClientRect();
        for (let x = 0; x < lane.width; x += 5) {
          canvas.dispatchEvent(new PointerEvent('pointermove',
              {clientX: lane.left + x, clientY: lane.top + 10}));
        }
        const tip = document.querySelector('.tip').textContent;
        const bad = tip.includes('stage-in') && !tip.includes('[object') ? '' : ' tip: ' + tip;
        const rows = document.querySelectorAll('#task-rows tbody tr').length;
        parent.postMessage(innerWidth + ' wide, ' + rows + ' rows, beyond: ' + names + bad, '*');
      }, 1000);
      </script></body>\
      """;

  private static ReportRun run(String mode, int copies) {
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new HashMap<>();
    Map<String, List<String>> commands = new HashMap<>();
    for (int i = 0; i < 60; i++) {
      String in = "file-" + i / 7 + "-" + "long".repeat(12);
      String out = "made/" + i + SCRIPT;
      files.put(in, new DataFile(in, 40_000_000));
      files.put(out, new DataFile(out, 9_000_000));
      Task task =
          new Task(
              "task-" + i + "-" + "name".repeat(i % 9),
              "type " + i % 6 + (i % 6 == 0 ? SCRIPT : ""),
              List.of(),
              i < 20 ? List.of(in) : List.of(in, "made/" + (i - 20) + SCRIPT),
              List.of(out),
              1 + i % 5);
      tasks.add(task);
      commands.put(task.id(), List.of("program", "--option", "value".repeat(30), SCRIPT));
    }
    Workflow workflow = new Workflow("layout " + SCRIPT, tasks, files);
    return new ReportRun(
        SyntheticRuns.run(mode, workflow, 12, 0.5, copies),
        new RunDetails(true, commands, Map.of("made/1" + SCRIPT, "pipeline")));
  }

  @Test
  void pageFitsEveryWidth(@TempDir Path dir) throws IOException, InterruptedException {
    Optional<Path> chromium = chromium();
    assumeThat(chromium).as("needs Chromium").isPresent();
    String page =
        ReportWriter.toHtml(List.of(run("weir", 1), run("stock", 3)), "failed " + SCRIPT, "");

    assertThat(open(chromium.get(), page, WIDTHS, dir))
        .containsExactlyInAnyOrderElementsOf(
            WIDTHS.stream().map(width -> width + " wide, 50 rows, beyond: ").toList());
  }

  @Test
  void largeRunOpens(@TempDir Path dir) throws IOException, InterruptedException {
    assertOpens(LARGE / 10, 2_000_000, dir);
  }

  @Tag("nightly")
  @Test
  void largestRunOpens(@TempDir Path dir) throws IOException, InterruptedException {
    assertOpens(LARGE, 20_000_000, dir);
  }

  private static void assertOpens(int number, int mostCharacters, Path dir)
      throws IOException, InterruptedException {
    Optional<Path> chromium = chromium();
    assumeThat(chromium).as("needs Chromium").isPresent();
    List<Task> tasks = new ArrayList<>();
    Map<String, DataFile> files = new HashMap<>();
    for (int i = 0; i < number; i++) {
      files.put("made/part-" + i, new DataFile("made/part-" + i, 9_000_000));
      tasks.add(
          new Task(
              "task-" + i,
              "type " + i % 3,
              List.of(),
              i < 100 ? List.of() : List.of("made/part-" + (i - 100)),
              List.of("made/part-" + i),
              1 + i % 5));
    }
    ReportRun run =
        ReportRun.of(SyntheticRuns.run("weir", new Workflow("large", tasks, files), 100, 0.8, 1));

    String page = ReportWriter.toHtml(List.of(run), "", "");

    assertThat(page.length()).isLessThan(mostCharacters);
    assertThat(open(chromium.get(), page, List.of(1280), dir))
        .containsExactly("1280 wide, 50 rows, beyond: ");
  }

  /** Opens a page in frames of some widths, and returns the lines that the frames have reported. */
  private static List<String> open(Path chromium, String page, List<Integer> widths, Path dir)
      throws IOException, InterruptedException {
    Files.writeString(
        dir.resolve("page.html"), page.replaceFirst("<style>", ERRORS).replace("</body>", MEASURE));
    StringBuilder frames = new StringBuilder();
    widths.forEach(
        width ->
            frames
                .append("<iframe src=page.html height=900 width=")
                .append(width)
                .append(" style=border:0></iframe>"));
    Files.writeString(
        dir.resolve("frames.html"),
        "<body><script>addEventListener('message', (event) => {"
            + "const line = document.createElement('p'); line.textContent = event.data;"
            + "document.body.append(line); });</script>"
            + frames);
    return open(chromium, dir.resolve("frames.html"));
  }

  private static List<String> open(Path chromium, Path page)
      throws IOException, InterruptedException {
    Path out = page.resolveSibling("dom.html");
    Process process =
        new ProcessBuilder(
                chromium.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--allow-file-access-from-files",
                "--user-data-dir=" + page.resolveSibling("profile"),
                "--virtual-time-budget=6000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return Stream.of(Files.readString(out, StandardCharsets.UTF_8).split("<p>"))
        .skip(1)
        .map(line -> line.substring(0, line.indexOf("</p>")))
        .toList();
  }

  private static Optional<Path> chromium() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }
}
