package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What figures rest on. */
class MethodTest {
  @TempDir private Path folder;

  @Test
  void pIsThatOfWelchsTest() {
    // By hand: t = 2.0357 with 15.498 degrees of freedom, integrated.
    Figures a = new Figures(List.of(27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6));
    Figures b = new Figures(List.of(27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2));
    assertThat(a.pValue(b)).isCloseTo(0.05925, within(1e-5));
    assertThat(b.pValue(a)).isEqualTo(a.pValue(b));
    assertThat(new Figures(List.of(1.0)).pValue(b)).isNaN();
  }

  @Test
  void bytesAreCountedFromTheReadingBeforeTheFirstTask() throws IOException {
    Readings readings = new Readings();
    readings.add(Runs.BEGIN.minusMillis(150), 1_000, 50);
    readings.add(Runs.BEGIN.minusMillis(50), 1_200, 90);
    readings.add(Runs.BEGIN.plusMillis(50), 5_000, 70);
    readings.add(Runs.BEGIN.plusMillis(150), 6_000, 60);

    assertThat(readings.sentAt(Runs.BEGIN)).isEqualTo(1_200);
    assertThat(readings.peakStorageSince(Runs.BEGIN)).as("not what was there before").isEqualTo(70);
  }

  @Test
  void countersThatWereNotReadAreNoZero() {
    Readings readings = new Readings();
    readings.add(Runs.BEGIN.minusSeconds(60), 1_000, 0);
    readings.failed(new IOException("Connection refused"));

    assertThatIOException()
        .isThrownBy(() -> readings.sentAt(Runs.BEGIN))
        .withMessageContaining("last read at 2026-11-22T02:59:10Z")
        .withRootCauseInstanceOf(IOException.class);
    assertThatIOException().isThrownBy(() -> new Readings().sentAt(Runs.BEGIN));
  }

  @Test
  void everySetupHasAWorkerOnEachNodeFromTheBegin() throws IOException {
    Attendance.require(Runs.record(1, List.of(Runs.worker("n1", 3), Runs.worker("n2", 0))), 2);
    assertThatIOException()
        .isThrownBy(
            () ->
                Attendance.require(
                    Runs.record(1, List.of(Runs.worker("n1", 3), Runs.worker("n2", -1))), 2))
        .withMessageContaining("1 of 2 nodes");
    assertThatIOException()
        .as("two on one node are no two nodes")
        .isThrownBy(
            () ->
                Attendance.require(
                    Runs.record(1, List.of(Runs.worker("n1", 3), Runs.worker("n1", 2))), 2));
  }

  @Test
  void setupsAreInTheOrderOfTablesHoweverTheyRan() {
    Series series =
        Series.of(
            List.of(
                Runs.of(new Turn("g", "weir", 2), 3),
                Runs.of(new Turn("g", "copies-16", 1), 3),
                Runs.of(new Turn("g", "stock-r1", 1), 8),
                Runs.of(new Turn("g", "weir", 1), 2),
                Runs.of(new Turn("g", "copies-2", 1), 3)),
            Set.of());

    assertThat(series.bySetup().keySet())
        .extracting(Setup::label)
        .containsExactly("copies-2", "copies-16", "stock-r1", "weir");
    assertThat(series.of(Setup.WEIR)).extracting(Sample::repeat).containsExactly(1, 2);
    Sample sample = series.of(Setup.WEIR).get(0);
    assertThat(sample.seconds()).isEqualTo(2);
    assertThat(sample.overhead()).isEqualTo(1 + 2 + (2 + 3) + 4 + 5 + 6 - 2);
  }

  @Test
  void whatWorkersWarmUpWithIsNotInTheShareThatWasReadLocally() {
    // As much was read to warm up, all of it remote, as by the task that counts.
    RunRecord run = Runs.record(2, List.of(Runs.worker("n1", 3)));
    TaskRecord work = run.tasks().get(1);
    assertThat(run.tasks().get(0).type()).isEqualTo(Warming.TYPE);

    Counted counted = Counted.of(run);
    assertThat(counted.attempts()).containsExactly(work);
    assertThat(counted.begin()).isEqualTo(Runs.BEGIN);
    assertThat(counted.localShare()).isEqualTo(0.25);
    assertThat(new Counted(List.of()).localShare()).as("nothing was read").isEqualTo(1);
  }

  @Test
  void mediansAreToldOfWhatRunsTakeBesideTheirTasks() {
    List<Beside> runs =
        List.of(
            new Beside(new Steps(1, 0, 12, 0, 0, 0), 4),
            new Beside(new Steps(2, 0, 13, 0, 0, 0), 4),
            new Beside(new Steps(2, 120, 14, 0, 0, 0), 4));

    assertThat(Beside.median(runs)).isEqualTo(11);
    assertThat(Beside.describe(runs))
        .startsWith(
            "Beside its tasks a run takes 11.0 s (median): inputs 2.0, rest before 0.0, start and"
                + " end 9.0");
    assertThat(Beside.median(List.of())).isZero();
  }

  @Test
  void softwareIsWhatIsInItsJars() throws IOException {
    jar("plugins/weir-hints-api-1.jar", "A.class", "one");
    jar("lib/weir-workflow-runner-1.jar", "B.class", "two");
    String before = Software.of(folder);
    assertThat(before).matches("[0-9a-f]{12}");

    jar("lib/weir-cli-1.jar", "C.class", "of the client");
    jar("lib/picocli-4.jar", "D.class", "of others");
    jar("plugins/weir-hints-api-1.jar", "A.class", "one");
    assertThat(Software.of(folder)).isEqualTo(before);

    jar("lib/weir-workflow-runner-1.jar", "B.class", "three");
    assertThat(Software.of(folder)).isNotEqualTo(before);
    assertThat(Software.of(folder.resolve("none"))).isEqualTo(Software.UNKNOWN);
  }

  private void jar(String name, String entry, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      zip.write(Long.toString(System.nanoTime()).getBytes(StandardCharsets.UTF_8));
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(content.getBytes(StandardCharsets.UTF_8));
    }
  }
}
