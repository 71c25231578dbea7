package dev.weir.workflow.htmlreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportWriterTest {

  private static final Workflow CHAIN =
      new Workflow(
          "chain </script><b>&",
          List.of(
              new Task("a", "cut</script><!--", List.of(), List.of("in"), List.of("mid"), 1),
              new Task("b", "join", List.of(), List.of("mid"), List.of("out"), 2)),
          Map.of(
              "in", new DataFile("in", 1_000_000),
              "mid", new DataFile("mid", 2_000_000),
              "out", new DataFile("out", 3_000_000)));

  private static final RunRecord STOCK = SyntheticRuns.run("stock", CHAIN, 2, 0.5, 3);
  private static final RunRecord WEIR = SyntheticRuns.run("weir", CHAIN, 2, 1, 1);

  private static JsonNode data(String html) throws IOException {
    String open = "<script type=\"application/json\" id=\"data\">";
    int start = html.indexOf(open) + open.length();
    return new ObjectMapper().readTree(html.substring(start, html.indexOf("</script>", start)));
  }

  @Test
  void pageIsSelfContained(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("report.html");
    ReportWriter.write(List.of(STOCK, WEIR), file);

    assertThat(file)
        .content()
        .startsWith("<!DOCTYPE html>")
        .contains("default-src 'none'")
        .doesNotContain("@@")
        .doesNotContainPattern("(src|href)=[\"']?https?:")
        .contains("<title>Workflow chain &lt;/script&gt;&lt;b&gt;&amp;</title>");
  }

  @Test
  void failureIsShown() throws IOException {
    String failure = "The task 'a' failed </script><b>";

    assertThat(data(ReportWriter.toHtml(List.of(STOCK), failure)).path("failure").asText())
        .isEqualTo(failure);
  }

  @Test
  void dataCannotEndAScript() throws IOException {
    String html = ReportWriter.toHtml(List.of(STOCK), "");

    assertThat(html.split("</script>", -1)).as("three scripts and what follows").hasSize(4);
    assertThat(data(html).at("/types/0").asText()).isEqualTo("cut</script><!--");
    assertThat(OfflinePage.escapeScript("'</SCRIPT>' '<!--'")).isEqualTo("'<\\/SCRIPT>' '<\\!--'");
  }

  @Test
  void dataMatchesTheRecords() throws IOException {
    JsonNode data = data(ReportWriter.toHtml(List.of(STOCK, WEIR, WEIR), ""));

    assertThat(data.at("/runs")).hasSize(3);
    assertThat(data.at("/runs/0/label").asText()).isEqualTo("stock");
    assertThat(data.at("/runs/2/label").asText()).isEqualTo("weir weir-1");
    assertThat(data.at("/types").toString()).isEqualTo("[\"cut</script><!--\",\"join\"]");
    assertThat(data.at("/runs/1/totals/inputLocal").asLong()).isEqualTo(3_000_000);
    assertThat(data.at("/runs/1/totals/outputRemote").asLong()).isZero();
    assertThat(data.at("/runs/0/tasks/0")).hasSize(data.at("/columns").size());
    assertThat(value(data, "cpu")).isEqualTo(SyntheticRuns.CPU_MILLIS / 1e3);
    assertThat(value(data, "memory")).isEqualTo(SyntheticRuns.MEMORY);
  }

  /** Returns a column of the first attempt of the first run. */
  private static double value(JsonNode data, String column) {
    int place = 0;
    while (!data.at("/columns/" + place).asText().equals(column)) {
      place++;
    }
    return data.at("/runs/0/tasks/0/" + place).asDouble(-1);
  }

  @Test
  void sameRunsGiveSameBytes() throws IOException {
    assertThat(ReportWriter.toHtml(List.of(STOCK), ""))
        .isEqualTo(ReportWriter.toHtml(List.of(STOCK), ""));
  }

  @Test
  void lanesAreSortedNumerically() {
    Instant now = Instant.EPOCH;
    List<WorkerRecord> workers =
        List.of(
            new WorkerRecord("w3", "n10", "/r1", now, now),
            new WorkerRecord("w2", "n2", "/r1", now, now),
            new WorkerRecord("w11", "n2", "/r1", now, now),
            new WorkerRecord("w1", "n30", "/r0", now, now));
    RunRecord run = new RunRecord("r", "w", "stock", RunState.FAILED, now, now, workers, List.of());

    assertThat(Lane.of(run)).extracting(Lane::worker).containsExactly("w1", "w2", "w11", "w3");
  }

  @Test
  void refusesNoRuns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReportWriter.toHtml(List.of(), ""))
        .withMessageContaining("give a run record");
  }
}
