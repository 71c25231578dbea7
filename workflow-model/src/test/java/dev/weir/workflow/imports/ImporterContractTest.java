package dev.weir.workflow.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.wfformat.WfFormatReader;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of all importers, with valid and invalid workflows. */
class ImporterContractTest {

  private static final int MUTATIONS = Integer.getInteger("weir.fuzz.count", 300);
  private static final long SEED = Long.getLong("weir.fuzz.seed", 6);

  private static final Importers IMPORTERS = Importers.standard();

  @ParameterizedTest
  @EnumSource
  void readsTheSameDiamond(SampleFormat format) throws IOException {
    ImportedWorkflow imported = read(format.resource(), diamond(format));
    assertThat(withoutLifetimes(imported.workflow())).isEqualTo(expected());
    assertThat(imported.format()).isEqualTo(format.format());
  }

  /** Removes lifetimes, which not all formats can express. */
  private static Workflow withoutLifetimes(Workflow workflow) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (DataFile file : workflow.files().values()) {
      String hint = file.hint().replaceFirst(",?temporary$", "");
      files.put(file.id(), new DataFile(file.id(), file.sizeBytes(), hint));
    }
    return new Workflow(workflow.name(), workflow.tasks(), files);
  }

  @ParameterizedTest
  @EnumSource
  void isRecognizedByContent(SampleFormat format) throws IOException {
    assertThat(read("workflow.txt", diamond(format)).format()).isEqualTo(format.format());
  }

  @ParameterizedTest
  @EnumSource
  void survivesConversionToWfFormat(SampleFormat format) throws IOException {
    Workflow workflow = read(format.resource(), diamond(format)).workflow();
    byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);
    assertThat(new WfFormatReader().read(written, "written")).isEqualTo(workflow);
  }

  @ParameterizedTest
  @EnumSource
  void keepsValidNames(SampleFormat format) throws IOException {
    List<String> names =
        List.of("a b", "it's", "say \"x\"", "größe-日本", "50%", "a&b<c", "$HOME", "a\\b", "x#y");
    Workflow workflow = read(format, List.of(new SampleTask("t-1", names, List.of("out"))));
    assertThat(workflow.tasks().get(0).inputs()).isEqualTo(names);
    byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);
    assertThat(new WfFormatReader().read(written, "written")).isEqualTo(workflow);
  }

  @ParameterizedTest
  @EnumSource
  void normalizesNamesAndDropsDuplicates(SampleFormat format) throws IOException {
    List<String> inputs = List.of("/a", "a", "./a", "d//b", "a");
    Workflow workflow = read(format, List.of(new SampleTask("t-1", inputs, List.of("/out"))));
    assertThat(workflow.tasks().get(0).inputs()).containsExactly("a", "d/b");
    assertThat(workflow.tasks().get(0).outputs()).containsExactly("out");
  }

  @ParameterizedTest
  @EnumSource
  void readsRegionsOfFiles(SampleFormat format) throws IOException {
    Workflow workflow =
        read(
            format,
            List.of(
                new SampleTask("t-1", List.of(), List.of("d/x@0+600000")),
                new SampleTask("t-2", List.of(), List.of("/d/x@600000+400000")),
                new SampleTask("t-3", List.of("d/x@5+7", "d/x@0+5"), List.of("out"))));
    assertThat(workflow.files().get("d/x")).isEqualTo(new DataFile("d/x", 1_000_000));
    assertThat(workflow.tasks()).hasSize(4);
    assertThat(workflow.tasks().get(3).joinsRegions()).isTrue();
    assertThat(workflow.tasks().get(2).inputs()).containsExactly("d/x");
    assertThat(workflow.tasks().get(2).regions())
        .containsExactly(new FileRegion("d/x", 5, 7), new FileRegion("d/x", 0, 5));
    byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);
    assertThat(new WfFormatReader().read(written, "written")).isEqualTo(workflow);
    refused(
            format,
            new SampleTask("t-1", List.of(), List.of("x@0+6")),
            new SampleTask("t-2", List.of(), List.of("x@7+4")))
        .withMessageContaining("no task writes the bytes 6 to 7 of x; let the regions");
    for (String slip : List.of("x@0+0", "run@20260101+0", "x@0+" + "9".repeat(19), "@0+5")) {
      refused(format, new SampleTask("t-1", List.of(slip), List.of("out")))
          .withMessageContaining(
              "'" + slip + "' is not a region of a file: write FILE@OFFSET+LENGTH")
          .withMessageContaining(", or rename the file");
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesThatOnlyLookLikeRegionsAreFiles(SampleFormat format) throws IOException {
    List<String> names = List.of("x@01+2", "x@1+02", "run@2026+00", "x@0+1.gz", "me@host+1");
    Workflow workflow = read(format, List.of(new SampleTask("t-1", names, List.of("y@00+1"))));
    assertThat(workflow.tasks().get(0).inputs()).isEqualTo(names);
    assertThat(workflow.tasks().get(0).outputs()).containsExactly("y@00+1");
    assertThat(workflow.tasks().get(0).regions()).isEmpty();
    byte[] written = WfFormatWriter.toJson(workflow).getBytes(StandardCharsets.UTF_8);
    assertThat(new WfFormatReader().read(written, "written")).isEqualTo(workflow);
  }

  @ParameterizedTest
  @EnumSource
  void refusesInvalidNames(SampleFormat format) {
    refused(format, new SampleTask("t-1", List.of(), List.of("a\tb")))
        .withMessageContaining("which Weir refuses")
        .withMessageContaining("rename the file");
    refused(format, new SampleTask("t-1", List.of("../up"), List.of("out")))
        .withMessageContaining("'../up'")
        .withMessageContaining("without '..'");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MAKEFLOW") // cannot express it
  void refusesNamesWithNewlines(SampleFormat format) {
    refused(format, new SampleTask("t-1", List.of(), List.of("a\nb")))
        .withMessageContaining("which Weir refuses");
  }

  @ParameterizedTest
  @EnumSource
  void refusesNamesThatHdfsWouldRefuseLater(SampleFormat format) throws IOException {
    refused(format, new SampleTask("t-1", List.of(), List.of("d/.snapshot/x")))
        .withMessageMatching("(?s)[^:]*: (\\d+:\\d+|/[^:]*/outputFiles/0): .*")
        .withMessageContaining("writes the file 'd/.snapshot/x', and HDFS reserves")
        .withMessageContaining("; rename");
    refused(format, new SampleTask("t-1", List.of("d/" + "é".repeat(128)), List.of("out")))
        .withMessageContaining("more than 255 bytes")
        .withMessageContaining("rename the file");
    String longest = "é".repeat(127) + "x";
    List<String> inputs = List.of("d/.snapshot/s1/x", longest);
    Workflow workflow = read(format, List.of(new SampleTask("t-1", inputs, List.of(".snapshots"))));
    assertThat(workflow.tasks().get(0).inputs()).isEqualTo(inputs);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"WFFORMAT", "JX", "PEGASUS"}) // the others cannot express it
  void refusesUnpairedSurrogates(SampleFormat format) {
    String half = "a" + SampleFormat.HALF + "b";
    refused(format, new SampleTask("t-1", List.of(half), List.of("out")))
        .withMessageMatching(
            "(?s)[^:]*: (\\d+:\\d+|/[^:]*): .*an unpaired surrogate, .ud800.*; .*");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"WFFORMAT", "JX", "MAKEFLOW"}) // commands of the others are in catalogs
  void refusesCommandsWithNul(SampleFormat format) throws IOException {
    refused(format.resource(), format.running("a\0b"))
        .withMessageMatching("(?s)[^:]*: (\\d+:\\d+|/[^:]*/command/arguments/1): .*")
        .withMessageContaining(" contains the character NUL")
        .withMessageEndingWith("; remove it");
    assertThat(read(format.resource(), format.running("a b")).workflow().tasks().get(0).command())
        .contains("a b");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"JX", "MAKEFLOW"}) // the others rename nothing
  void refusesInvalidNamesInTheSandbox(SampleFormat format) throws IOException {
    refused(format.resource(), format.renaming("b", "c", "d", "./c"))
        .withMessageMatching("[^:]*: 1:\\d+: .*")
        .withMessageContaining("'b' and 'd' have one name in the sandbox, 'c'; give one");
    refused(format.resource(), format.renaming("b", "d", "d", "d"))
        .withMessageContaining("'b' and 'd' have one name in the sandbox, 'd'; give one");
    refused(format.resource(), format.renaming("b", "out"))
        .withMessageContaining("'b' and 'out' have one name in the sandbox, 'out'; give one");
    for (String name : List.of("../c", "c/../../d", "/tmp/c", ".")) {
      refused(format.resource(), format.renaming("b", name))
          .withMessageMatching("[^:]*: 1:\\d+: .*; write a relative path without '..'")
          .withMessageContaining("'b' gets the name '" + name + "'");
    }
    assertThat(read(format.resource(), format.renaming("b", "c", "b", "d", "e", "y/z")))
        .extracting(imported -> imported.workflow().tasks().get(0).command().get(2))
        .asString()
        .contains("ln -s \"$PWD\"/b c ", "ln -s \"$PWD\"/b d ", "ln -s \"$PWD\"/e y/z ");
  }

  @ParameterizedTest
  @EnumSource
  void refusesCycles(SampleFormat format) {
    refused(
            format,
            new SampleTask("t-1", List.of("c"), List.of("a")),
            new SampleTask("t-2", List.of("a"), List.of("b")),
            new SampleTask("t-3", List.of("b"), List.of("c")))
        .withMessageContaining("cycle: t-1 -> t-2 -> t-3 -> t-1; remove one");
    refused(format, new SampleTask("t-1", List.of("a"), List.of("a")))
        .withMessageContaining("both reads and writes the file 'a'; give");
  }

  @ParameterizedTest
  @EnumSource
  void refusesFilesWithTwoProducersAndFilesThatAreDirectories(SampleFormat format) {
    refused(
            format,
            new SampleTask("t-1", List.of(), List.of("a")),
            new SampleTask("t-2", List.of(), List.of("b", "/a")))
        .withMessageContaining("'a' is written by two tasks, 't-1' and 't-2'; let one");
    refused(format, new SampleTask("t-1", List.of("d"), List.of("d/x")))
        .withMessageContaining("'d' is also a directory: 'd/x' is in it; rename");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"WFFORMAT", "PEGASUS", "DAX"})
  void refusesDuplicateAndInvalidIds(SampleFormat format) {
    refused(
            format,
            new SampleTask("same", List.of(), List.of("a")),
            new SampleTask("same", List.of(), List.of("b")))
        .withMessageContaining("'same' is used a second time");
    refused(format, new SampleTask("/a", List.of(), List.of("a")))
        .withMessageContaining("Task id '/a' cannot be a file name");
  }

  @ParameterizedTest
  @EnumSource
  void readsTasksWithoutFiles(SampleFormat format) throws IOException {
    List<SampleTask> tasks = List.of(new SampleTask("t-1", List.of("in"), List.of()));
    if (format == SampleFormat.MAKEFLOW) {
      refused(format, tasks.get(0)).withMessageContaining("the rule has no output; name its outp");
    } else {
      assertThat(read(format, tasks).tasks().get(0).outputs()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WFFORMAT") // recordings have odd ones
  void refusesNeedsThatOverflow(SampleFormat format) throws IOException {
    for (String amount : List.of("9e12", "17592186044417e0", "9e18", "1e30", "9e300")) {
      refused(format.resource(), format.needing(amount))
          .as(amount)
          .withMessageMatching("(?i).*: \\d+:\\d+: .*memory.* is too large; give a .*");
    }
    Workflow most = read(format.resource(), format.needing("8e12")).workflow();
    assertThat(most.tasks().get(0).needs().memoryBytes()).isEqualTo(8_000_000_000_000L << 20);
  }

  @ParameterizedTest
  @EnumSource
  void reportsLineAndColumnOfBrokenText(SampleFormat format) {
    refused(format.resource(), format.broken())
        .withMessageMatching("(?s)" + format.resource() + ": \\d+:\\d+: .+; .+");
  }

  @ParameterizedTest
  @EnumSource
  void refusesWorkflowsWithoutTasks(SampleFormat format) {
    if (format != SampleFormat.MAKEFLOW) {
      refused(format).withMessageContaining("has no tasks; list at least one");
    }
    refused(format.resource(), "").withMessageContaining("empty");
    refused(format.resource(), " \n\n").withMessageContaining("empty");
  }

  /** Truncated and altered files are read or refused with a WorkflowException. */
  @ParameterizedTest
  @EnumSource
  void refusesBrokenFiles(SampleFormat format) throws IOException {
    String text = diamond(format);
    Random random = new Random(SEED);
    for (int i = 0; i < MUTATIONS; i++) {
      StringBuilder mutated = new StringBuilder(text);
      for (int j = 0; j <= random.nextInt(3) && !mutated.isEmpty(); j++) {
        int at = random.nextInt(mutated.length());
        switch (random.nextInt(4)) {
          case 0 -> mutated.setLength(at + 1);
          case 1 -> mutated.deleteCharAt(at);
          case 2 -> mutated.insert(at, "{}[]<>\"'\\:,#$&;-\t\n\0\u20ac".charAt(random.nextInt(20)));
          default -> mutated.insert(at, mutated.substring(at / 2, at));
        }
      }
      try {
        read(format.resource(), mutated.toString());
      } catch (WorkflowException e) {
        assertThat(e).hasMessageContaining(": ").hasMessageContaining("; ");
      }
    }
  }

  private static Workflow expected() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    files.put("in.txt", new DataFile("in.txt", 1000));
    files.put("left.txt", new DataFile("left.txt", 600, "broadcast=2"));
    files.put("right.txt", new DataFile("right.txt", 400));
    files.put("left.count", new DataFile("left.count", 10));
    files.put("right.count", new DataFile("right.count", 10));
    files.put("total.txt", new DataFile("total.txt", 20));
    TaskNeeds needs = new TaskNeeds(2, 64 << 20, 0);
    return new Workflow(
        "diamond",
        List.of(
            task(
                "split-1",
                "head -c 600 in.txt > left.txt; tail -c 400 in.txt > right.txt",
                List.of("in.txt"),
                List.of("left.txt", "right.txt"),
                TaskNeeds.UNKNOWN),
            task(
                "count-2",
                "wc -c < left.txt > left.count",
                List.of("left.txt"),
                List.of("left.count"),
                needs),
            task(
                "count-3",
                "wc -c < right.txt > right.count",
                List.of("right.txt"),
                List.of("right.count"),
                needs),
            task(
                "join-4",
                "cat left.count right.count > total.txt",
                List.of("left.count", "right.count"),
                List.of("total.txt"),
                TaskNeeds.UNKNOWN)),
        files);
  }

  private static Task task(
      String id, String line, List<String> inputs, List<String> outputs, TaskNeeds needs) {
    return new Task(
        id,
        id.substring(0, id.indexOf('-')),
        List.of("/bin/sh", "-c", line),
        inputs,
        outputs,
        List.of(),
        0,
        needs);
  }

  private static String diamond(SampleFormat format) throws IOException {
    try (InputStream in = ImporterContractTest.class.getResourceAsStream(format.resource())) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Workflow read(SampleFormat format, List<SampleTask> tasks)
      throws WorkflowException {
    return read(format.resource(), format.write(tasks)).workflow();
  }

  private static ImportedWorkflow read(String name, String text) throws WorkflowException {
    WorkflowSource source = new WorkflowSource(name, text, null, ImportSettings.NONE);
    return IMPORTERS.find(source).read(source);
  }

  private static ThrowableAssertAlternative<WorkflowException> refused(
      SampleFormat format, SampleTask... tasks) {
    return refused(format.resource(), format.write(List.of(tasks)));
  }

  private static ThrowableAssertAlternative<WorkflowException> refused(String name, String text) {
    return assertThatExceptionOfType(WorkflowException.class)
        .as(text)
        .isThrownBy(() -> read(name, text))
        .withMessageStartingWith(name + ": ");
  }
}
