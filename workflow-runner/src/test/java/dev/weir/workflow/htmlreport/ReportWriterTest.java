package dev.weir.workflow.htmlreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.FileRecord;
import dev.weir.workflow.record.NodeFill;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.PlacementReason;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunState;
import dev.weir.workflow.record.TaskRecord;
import dev.weir.workflow.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
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

  private static final ReportRun STOCK = ReportRun.of(SyntheticRuns.run("stock", CHAIN, 2, 0.5, 3));
  private static final ReportRun WEIR = ReportRun.of(SyntheticRuns.run("weir", CHAIN, 2, 1, 1));

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

    assertThat(data(ReportWriter.toHtml(List.of(STOCK), failure, "")).path("failure").asText())
        .isEqualTo(failure);
  }

  @Test
  void dataCannotEndAScript() throws IOException {
    String html = ReportWriter.toHtml(List.of(STOCK), "", "");

    assertThat(html.split("</script>", -1)).as("two scripts and what follows").hasSize(3);
    assertThat(data(html).at("/types/0").asText()).isEqualTo("cut</script><!--");
    assertThat(OfflinePage.escapeScript("'</SCRIPT>' '<!--'")).isEqualTo("'<\\/SCRIPT>' '<\\!--'");
  }

  @Test
  void dataMatchesTheRecords() throws IOException {
    JsonNode data = data(ReportWriter.toHtml(List.of(STOCK, WEIR, WEIR), "", ""));

    assertThat(data.at("/runs")).hasSize(3);
    assertThat(data.at("/runs/0/label").asText()).isEqualTo("stock");
    assertThat(data.at("/runs/2/label").asText()).isEqualTo("weir weir-1");
    assertThat(data.at("/types").toString()).isEqualTo("[\"cut</script><!--\",\"join\"]");
    assertThat(data.at("/runs/1/totals/inputLocal").asLong()).isEqualTo(3_000_000);
    assertThat(data.at("/runs/1/totals/outputRemote").asLong()).isZero();
    assertThat(data.at("/runs/0/tasks/name/0").asText()).isEqualTo("a");
    assertThat(data.at("/runs/0/tasks/cpu/0").asDouble()).isEqualTo(SyntheticRuns.CPU_MILLIS / 1e3);
    assertThat(data.at("/runs/0/tasks/memory/0").asLong()).isEqualTo(SyntheticRuns.MEMORY);
  }

  @Test
  void moreThanTheRecordIsShown() throws IOException {
    RunDetails details =
        new RunDetails(true, Map.of("a", List.of("cut", "-f1")), Map.of("mid", "pipeline"));
    RunRecord run = moved();

    JsonNode data = data(ReportWriter.toHtml(List.of(new ReportRun(run, details)), "", ""));

    assertThat(data.at("/runs/0/standIn").asBoolean()).isTrue();
    assertThat(data.at("/runs/0/details/0/command").asText()).isEqualTo("cut -f1");
    assertThat(data.at("/runs/0/details/1/why").toString()).isEqualTo("[10,5,[0,6,1.5]]");
    assertThat(data.at("/runs/0/path").toString()).isEqualTo("[0,1]");
    assertThat(data.at("/runs/0/fromNodes").toString()).isEqualTo("[[0,1,6]]");
    assertThat(data.at("/runs/0/edges").toString()).isEqualTo("[[0,1,10,1]]");
    assertThat(data.at("/runs/0/fileRows/0").toString())
        .as("size, maker, hint, reads, holders, served")
        .isEqualTo("[\"mid\",10,0,\"pipeline\",1,[0,2],[[0,6],[1,4]]]");
    assertThat(data.at("/runs/0/unread").asInt()).as("the replica on n3").isEqualTo(1);
    assertThat(data.at("/runs/0/tasks/inputRack").toString()).isEqualTo("[0,6]");
  }

  /** A task on n1 makes a file, of which another on n2 reads a part from n1. */
  private static RunRecord moved() {
    Instant start = Instant.EPOCH;
    List<WorkerRecord> workers =
        List.of(
            new WorkerRecord("w1", "n1", "/r", start, start.plusSeconds(9)),
            new WorkerRecord("w2", "n2", "/r", start, start.plusSeconds(9)));
    TaskRecord made =
        TaskRecord.builder("a", "cut", 1)
            .worker("w1", "n1")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(start, start)
            .files(
                List.of(),
                List.of(
                    new FileRecord(
                        "mid",
                        10,
                        Checksum.UNKNOWN,
                        Map.of("n1", 10L, "n3", 10L),
                        Map.of(),
                        false)))
            .build();
    TaskRecord read =
        TaskRecord.builder("b", "join", 1)
            .worker("w2", "n2")
            .outcome(Outcome.SUCCEEDED, 0)
            .times(start.plusSeconds(1), start.plusSeconds(2))
            .files(
                List.of(
                    new FileRecord("mid", 10, Checksum.UNKNOWN, Map.of("n1", 6L), Map.of(), false)),
                List.of())
            .placement(
                new PlacementReason(
                    PlacementReason.Decision.FREE_WORKER,
                    10,
                    5,
                    List.of(new PlacementReason.Candidate("n1", 6, 1_500))))
            .build();
    return new RunRecord(
        "r",
        "w",
        "weir",
        RunState.SUCCEEDED,
        start,
        start.plusSeconds(9),
        workers,
        List.of(made, read));
  }

  @Test
  void detailsOfALargeRunAreLimited() throws IOException {
    List<TaskRecord> tasks = new ArrayList<>();
    for (int i = 0; i < 2 * ReportData.MAX_DETAILED; i++) {
      tasks.add(
          TaskRecord.builder("t" + i, "t", 1)
              .worker("w1", "n1")
              .outcome(i == 3_000 ? Outcome.FAILED : Outcome.SUCCEEDED, 0)
              .times(Instant.EPOCH, Instant.EPOCH)
              .message("why " + i)
              .build());
    }
    RunRecord run =
        new RunRecord(
            "r", "w", "stock", RunState.FAILED, Instant.EPOCH, Instant.EPOCH, List.of(), tasks);

    JsonNode data = data(ReportWriter.toHtml(List.of(ReportRun.of(run)), "", ""));

    assertThat(data.at("/runs/0/tasks/name")).hasSize(tasks.size());
    assertThat(data.at("/runs/0/details")).hasSizeLessThanOrEqualTo(ReportData.MAX_DETAILED);
    assertThat(data.at("/runs/0/details/3000/message").asText()).isEqualTo("why 3000");
  }

  @Test
  void fillOfCachesAndDisksIsShownOverTime() throws IOException {
    List<TaskRecord> tasks =
        List.of(ended(1, "n1", 10, 100), ended(4, "n2", 20, 50), ended(7, "n1", 0, 70));
    RunRecord run =
        new RunRecord(
            "r",
            "w",
            "weir",
            RunState.SUCCEEDED,
            Instant.EPOCH,
            Instant.EPOCH.plusSeconds(10),
            List.of(),
            tasks);
    ObjectNode node = new ObjectMapper().createObjectNode();

    new FillSeries(run).write(node, 5);

    assertThat(node.path("caches").toString()).isEqualTo("[10,30,30,20,20]");
    assertThat(node.path("largestCache").toString()).isEqualTo("[10,20,20,20,20]");
    assertThat(node.path("leastFree").toString()).isEqualTo("[100,50,50,50,50]");
  }

  private static TaskRecord ended(int seconds, String node, long cache, long free) {
    return TaskRecord.builder("t" + seconds, "t", 1)
        .worker("w", node)
        .outcome(Outcome.SUCCEEDED, 0)
        .times(Instant.EPOCH, Instant.EPOCH.plusSeconds(seconds))
        .fill(new NodeFill(cache, free))
        .build();
  }

  @Test
  void sameRunsGiveSameBytes() throws IOException {
    assertThat(ReportWriter.toHtml(List.of(STOCK), "", ""))
        .isEqualTo(ReportWriter.toHtml(List.of(STOCK), "", ""));
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

    assertThat(new Lanes(run).workers())
        .extracting(WorkerRecord::id)
        .containsExactly("w1", "w2", "w11", "w3");
  }

  @Test
  void refusesNoRuns() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReportWriter.toHtml(List.of(), "", ""))
        .withMessageContaining("give a run record");
  }
}
