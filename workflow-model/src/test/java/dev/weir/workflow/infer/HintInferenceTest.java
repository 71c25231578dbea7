package dev.weir.workflow.infer;

import static dev.weir.workflow.infer.InferredIndex.index;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.HintText;
import dev.weir.hints.Lifetime;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HintInferenceTest {

  private static final String DIR = "/runs/{1}";
  private static final ClusterShape SIX = new ClusterShape(6, 3);

  /** Links so slow that the few kB of Montage's tables take as long as MBs over usual links. */
  private static final FetchModel SLOW = new FetchModel(12_500, true);

  private static final Hint LOCAL =
      HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();

  private static Optional<Hint> hint(HintIndex index, String file) {
    return index.lookup(DIR + "/" + file).map(match -> match.rule().hint());
  }

  private static Hint copies(int copies) {
    return HintPresets.broadcast(copies).toBuilder().lifetime(Lifetime.scratch()).build();
  }

  private static Hint gather(String task) {
    return Hint.builder()
        .placement(new Placement.Collocate(DIR + "#" + task))
        .replication(Replication.eager(1))
        .lifetime(Lifetime.scratch())
        .build();
  }

  @Test
  void montageOnSixNodes() {
    HintIndex index = index(HintInference.infer(MontageGraph.of(5), DIR, SIX));

    assertThat(hint(index, "tile_7.fits")).as("read by one task: as stock").isEmpty();
    assertThat(hint(index, "region.hdr")).as("300 B: as stock").isEmpty();
    assertThat(hint(index, "p_7.fits")).as("read in pairs, one is there").contains(LOCAL);
    assertThat(hint(index, "p_7_area.fits")).contains(LOCAL);
    assertThat(hint(index, "images.tbl")).as("4 kB").contains(LOCAL);
    assertThat(hint(index, "corrections.tbl")).as("1 kB").contains(LOCAL);
    assertThat(hint(index, "diffs.tbl")).contains(LOCAL);
    assertThat(hint(index, "fits.tbl")).contains(LOCAL);
    assertThat(hint(index, "fit_0_1.txt")).contains(gather("mConcatFit-1"));
    assertThat(hint(index, "c_7.fits")).contains(gather("mImgtbl-2"));
    assertThat(hint(index, "c_7_area.fits"))
        .as("read by mAdd alone, which shares files with mImgtbl")
        .contains(gather("mImgtbl-2"));
    assertThat(hint(index, "corrected.tbl")).contains(LOCAL);
    assertThat(hint(index, "mosaic.fits")).contains(LOCAL);
    assertThat(hint(index, "mosaic.png")).contains(HintPresets.pipeline());
    assertThat(hint(index, "mosaic_area.fits")).contains(HintPresets.pipeline());
  }

  @Test
  void widelyReadFilesAreCopiedOverSlowLinks() {
    HintIndex index = index(HintInference.infer(MontageGraph.of(5), DIR, SIX.with(SLOW)));

    assertThat(hint(index, "region.hdr")).contains(HintPresets.broadcast(6));
    assertThat(hint(index, "images.tbl")).contains(copies(6));
    assertThat(hint(index, "corrections.tbl")).contains(copies(6));
    assertThat(hint(index, "p_7.fits")).as("as with other links").contains(LOCAL);
    assertThat(hint(index, "c_7.fits")).contains(gather("mImgtbl-2"));
  }

  @Test
  void montageOnManyNodesCopiesOnlyWhatPays() {
    ClusterShape shape = new ClusterShape(25, 3).with(SLOW);
    HintIndex index = index(HintInference.infer(MontageGraph.of(5), DIR, shape));

    assertThat(hint(index, "p_7.fits")).as("more nodes than readers").contains(LOCAL);
    assertThat(hint(index, "images.tbl"))
        .as("bounded, however many read it")
        .contains(copies(HintAdvisor.MAX_COPIES));
    assertThat(hint(index, "c_7.fits")).contains(gather("mImgtbl-2"));
  }

  /** Twelve files of 10 MB, each made by a task and read by many more, in pairs. */
  private static Workflow pairs(String region) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      files.put("x" + i, new DataFile("x" + i, 10_000_000));
      tasks.add(new Task("make" + i, "make", List.of(), List.of(), List.of("x" + i), 1));
    }
    for (int i = 0; i < 12 * 12 * 3; i++) {
      int first = i % 12;
      int second = i / 12 % 12;
      if (first != second) {
        List<String> pair = List.of("x" + first + region, "x" + second + region);
        tasks.add(new Task("use" + i, "use", List.of(), pair, List.of(), 1));
      }
    }
    return new Workflow("pairs", tasks, files);
  }

  @Test
  void cachedFilesAreNotCopiedToAllNodes() {
    ClusterShape anew = SIX.with(new FetchModel(FetchModel.USUAL_BYTES_PER_SECOND, false));

    assertThat(hint(index(HintInference.infer(pairs(""), DIR, SIX)), "x7")).contains(LOCAL);
    assertThat(hint(index(HintInference.infer(pairs(""), DIR, anew)), "x7"))
        .as("read from HDFS each time")
        .contains(copies(6));
    assertThat(hint(index(HintInference.infer(pairs("@0+5000000"), DIR, SIX)), "x7"))
        .as("regions, which nodes do not cache")
        .contains(copies(6));
  }

  private static Workflow broadcast(DataFile file) {
    List<Task> tasks = new ArrayList<>();
    tasks.add(new Task("make", "make", List.of(), List.of(), List.of("x"), 1));
    for (int i = 0; i < 19; i++) {
      tasks.add(new Task("read" + i, "read", List.of(), List.of("x"), List.of(), 1));
    }
    return new Workflow("w", tasks, Map.of("x", file));
  }

  private static HintIndex broadcastHints(DataFile file, FetchModel fetching) {
    ClusterShape shape = new ClusterShape(19, 3).with(fetching);
    return index(HintInference.infer(broadcast(file), DIR, shape));
  }

  @Test
  void cachesPassOnLargeFiles() {
    DataFile large = new DataFile("x", FetchModel.CHAINED_BYTES);
    DataFile small = new DataFile("x", FetchModel.CHAINED_BYTES - 1);
    FetchModel chained = new FetchModel(1_250_000, true);

    assertThat(hint(broadcastHints(large, chained), "x")).contains(LOCAL);
    assertThat(hint(broadcastHints(small, chained), "x")).contains(copies(19));
    assertThat(hint(broadcastHints(large, new FetchModel(1_250_000, false)), "x"))
        .as("no caches")
        .contains(copies(19));
    FetchModel unchained = new FetchModel(1_250_000, true, Long.MAX_VALUE, false);
    assertThat(hint(broadcastHints(large, unchained), "x"))
        .as("caches serve no other nodes")
        .contains(copies(19));
  }

  @Test
  void filesThatStayOnNodesAreNeitherGatheredNorCopied() {
    ClusterShape shape = SIX.with(new FetchModel(12_500, true).withFilesOnNodes(true));

    HintIndex index =
        index(HintInference.infer(MontageGraph.of(5), DIR, shape, "fit_0_1.txt"::equals));

    assertThat(hint(index, "fit_1_2.txt")).as("gathered").contains(LOCAL);
    assertThat(hint(index, "corrections.tbl")).as("broadcast").contains(LOCAL);
    assertThat(hint(index, "fit_0_1.txt"))
        .as("kept, so HDFS has it when its task ends")
        .hasValueSatisfying(
            kept ->
                assertThat(kept.placement().orElseThrow()).isInstanceOf(Placement.Collocate.class));
    assertThat(hint(index, "mosaic.png")).as("a result").contains(HintPresets.pipeline());
  }

  @Test
  void cachesPassOnFilesOfUnknownSize() {
    DataFile unknown = DataFile.ofUnknownSize("x", "");

    assertThat(hint(broadcastHints(unknown, new FetchModel(1_250_000, true)), "x")).contains(LOCAL);
    assertThat(hint(broadcastHints(unknown, new FetchModel(1_250_000, false)), "x"))
        .as("no caches")
        .contains(copies(19));
  }

  @Test
  void copiesUseAtMostHalfOfTheFreeSpace() {
    long table = Objects.requireNonNull(MontageGraph.of(5).files().get("images.tbl")).sizeBytes();
    List<InferredHint> some =
        HintInference.infer(MontageGraph.of(5), DIR, new ClusterShape(6, 3, 9 * table, 0, SLOW));
    List<InferredHint> none =
        HintInference.infer(MontageGraph.of(5), DIR, new ClusterShape(6, 3, 3 * table, 0, SLOW));

    assertThat(hint(index(some), "images.tbl")).contains(copies(4));
    assertThat(reason(some, "images.tbl")).endsWith("; there is no room for more");
    assertThat(hint(index(none), "images.tbl")).contains(LOCAL);
    assertThat(reason(none, "images.tbl")).contains("no room for copies on 6 nodes");
    assertThat(hint(index(none), "region.hdr")).as("small").contains(HintPresets.broadcast(6));
  }

  @Test
  void aMontageTakesFewRules() {
    List<InferredHint> hints = HintInference.infer(MontageGraph.of(12), DIR, SIX);

    assertThat(hints).hasSizeLessThan(25);
    assertThat(hints)
        .extracting(hint -> hint.rule().pattern())
        .contains(
            PathPattern.parse("/runs/\\{1\\}/p_*.fits"),
            PathPattern.parse("/runs/\\{1\\}/fit_*.txt"));
  }

  /** One file of 1 kB for a task on each of 19 nodes with links of 10 Mbit/s. */
  private static List<InferredHint> fewMilliseconds() {
    List<Task> tasks = new ArrayList<>();
    tasks.add(new Task("make", "make", List.of(), List.of(), List.of("x"), 1));
    for (int i = 0; i < 19; i++) {
      tasks.add(new Task("read" + i, "read", List.of(), List.of("x"), List.of(), 1));
    }
    Workflow workflow = new Workflow("w", tasks, Map.of("x", new DataFile("x", 1_000)));
    ClusterShape shape = new ClusterShape(19, 3).with(new FetchModel(1_250_000, true));
    return HintInference.infer(workflow, DIR, shape);
  }

  @Test
  void everyRuleHasAReason() {
    List<InferredHint> hints = HintInference.infer(MontageGraph.of(5), DIR, SIX);

    assertThat(reason(hints, "p_1_area.fits"))
        .isEqualTo(
            "6.8 readers each (mBackground, mDiffFit): their nodes' caches pass it on while it"
                + " arrives");
    assertThat(reason(fewMilliseconds(), "x"))
        .isEqualTo(
            "19.0 readers each (read): writing and reading them takes 15.3 ms with one copy on 19"
                + " nodes at 1.3 MB/s, 7.9 ms with 3, which saves too little");
    assertThat(
            reason(HintInference.infer(MontageGraph.of(5), DIR, SIX.with(SLOW)), "corrections.tbl"))
        .isEqualTo(
            "25.0 readers each (mBackground): writing and reading them takes 85.0 ms with 6 copies"
                + " on 6 nodes at 12.5 kB/s, 162.5 ms with stock's 3");
    assertThat(reason(hints, "corrections.tbl"))
        .isEqualTo(
            "25.0 readers each (mBackground): writing and reading them takes 0.9 ms with one copy"
                + " on 6 nodes at 125.0 MB/s, 2.5 ms with 3");
    assertThat(reason(hints, "fit_0_1.txt"))
        .isEqualTo(
            "72 files of 72 mDiffFit tasks, gathered by mConcatFit (group of task mConcatFit-1):"
                + " collected on one node while they are written");
    assertThat(reason(hints, "mosaic.png"))
        .isEqualTo(
            "final output of mViewer: written at the speed of the local disk, the other replicas"
                + " follow");
    assertThat(reason(hints, "fits.tbl"))
        .isEqualTo("read by one task (mBgModel), which can run where it is written");
  }

  @Test
  void temporaryFilesThatNoTaskReadsGetOneReplica() {
    Workflow workflow =
        new Workflow(
            "test",
            List.of(new Task("a", "cut", List.of("cut"), List.of(), List.of("x", "spare"), 1)),
            Map.of("x", new DataFile("x", 9), "spare", new DataFile("spare", 9, "temporary")));

    List<InferredHint> hints = HintInference.infer(workflow, DIR, SIX);

    assertThat(reason(hints, "spare")).startsWith("temporary, and read by no task");
    assertThat(hint(index(hints), "spare")).contains(LOCAL);
  }

  private static String reason(List<InferredHint> hints, String file) {
    PathPattern pattern = index(hints).lookup(DIR + "/" + file).orElseThrow().rule().pattern();
    return hints.stream()
        .filter(hint -> hint.rule().pattern().equals(pattern))
        .findFirst()
        .orElseThrow()
        .reason();
  }

  @Test
  void oneNodeNeedsNoCopies() {
    HintIndex index = index(HintInference.infer(MontageGraph.of(3), DIR, new ClusterShape(1, 3)));

    assertThat(hint(index, "region.hdr")).isEmpty();
    assertThat(hint(index, "p_1.fits")).contains(LOCAL);
    assertThat(hint(index, "c_1.fits")).contains(LOCAL);
  }

  @Test
  void inputsNeverGetFewerCopiesThanStock() {
    Workflow workflow = twoReaders();
    HintIndex index = index(HintInference.infer(workflow, DIR, new ClusterShape(10, 3)));

    assertThat(hint(index, "in")).isEmpty();
  }

  private static Workflow twoReaders() {
    return new Workflow(
        "two",
        List.of(
            new Task("a", "t", List.of(), List.of("in"), List.of("x"), 1),
            new Task("b", "t", List.of(), List.of("in"), List.of("y"), 1)),
        Map.of(
            "in", new DataFile("in", 1000), "x", new DataFile("x", 1), "y", new DataFile("y", 1)));
  }

  @Test
  void theDirectoryMayEndInASlash() {
    assertThat(HintInference.infer(twoReaders(), "/d/", SIX))
        .isEqualTo(HintInference.infer(twoReaders(), "/d", SIX));
  }

  /** For any names, the index over the rules gives each file the advice for its class. */
  @Test
  void rulesMatchTheAdvice() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      Workflow workflow = randomWorkflow(random);
      ClusterShape shape = new ClusterShape(1 + random.nextInt(8), 1 + random.nextInt(3));
      List<InferredHint> hints = HintInference.infer(workflow, DIR, shape);
      HintIndex index = index(hints);
      HintIndex whileWritten = index(underTemporaryNames(hints));
      List<FileClass> classes =
          FileClass.of(workflow.graph(), GatherFinder.of(workflow.graph(), shape));
      HintAdvisor advisor = new HintAdvisor(shape, DIR);
      for (FileClass files : classes) {
        Optional<Hint> expected = advisor.advise(files).map(HintAdvisor.Advice::hint);
        for (DataFile file : files.files()) {
          assertThat(hint(index, file.id()))
              .as("seed %d, round %d, file %s", seed, round, file.id())
              .isEqualTo(expected);
          assertThat(hint(whileWritten, file.id() + ".tmp-1"))
              .as("seed %d, round %d, file %s while it is written", seed, round, file.id())
              .isEqualTo(expected);
        }
      }
    }
  }

  /** Files written under a temporary name with a suffix get the same placement. */
  private static List<InferredHint> underTemporaryNames(List<InferredHint> hints) {
    List<InferredHint> all = new ArrayList<>(hints);
    for (InferredHint hint : hints) {
      PathPattern pattern = PathPattern.parse(hint.rule().pattern() + ".tmp-*");
      all.add(new InferredHint(new Rule(pattern, hint.rule().hint()), hint.reason()));
    }
    return all;
  }

  @Test
  void writtenHintsTakePrecedence() {
    Workflow plain = twoReaders();
    Map<String, DataFile> files = new LinkedHashMap<>(plain.files());
    files.put("x", new DataFile("x", 1, "broadcast=2"));
    files.put("in", new DataFile("in", 1000, "stock"));
    Workflow written = new Workflow("w", plain.tasks(), files);
    List<InferredHint> hints = HintInference.infer(written, DIR, SIX);
    HintIndex index = index(hints);
    assertThat(index.lookup(DIR + "/x").orElseThrow().rule().hint())
        .isEqualTo(HintText.parse("broadcast=2"));
    assertThat(index.lookup(DIR + "/in").orElseThrow().rule().hint())
        .isEqualTo(HintText.parse("stock"));
    HintIndex inferred = index(HintInference.infer(plain, DIR, SIX));
    assertThat(index.lookup(DIR + "/y").orElseThrow().rule())
        .isEqualTo(inferred.lookup(DIR + "/y").orElseThrow().rule());
    assertThat(hints)
        .filteredOn(hint -> hint.reason().equals("written in the workflow"))
        .hasSize(2);
  }

  private static Workflow randomWorkflow(Random random) {
    Map<String, DataFile> files = new LinkedHashMap<>();
    for (int i = 0; i < 40; i++) {
      String id =
          (random.nextBoolean() ? "d" + random.nextInt(2) + "/" : "")
              + "ab*{".charAt(random.nextInt(4))
              + Integer.toString(random.nextInt(50))
              + (random.nextBoolean() ? ".x" : ".x.y");
      files.put(id, new DataFile(id, random.nextInt(1000)));
    }
    List<String> made = new ArrayList<>(files.keySet());
    List<Task> tasks = new ArrayList<>();
    int next = made.size() / 4;
    while (next < made.size()) {
      int upTo = next;
      List<String> inputs =
          random
              .ints(1 + random.nextInt(8), 0, Math.max(1, upTo))
              .distinct()
              .mapToObj(made::get)
              .toList();
      int outputs = Math.min(1 + random.nextInt(2), made.size() - next);
      tasks.add(
          new Task(
              "t" + tasks.size(),
              "type" + random.nextInt(3),
              List.of(),
              inputs,
              List.copyOf(made.subList(next, next + outputs)),
              1));
      next += outputs;
    }
    return new Workflow("random", tasks, files);
  }

  @Test
  void refusesImpossibleClusters() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClusterShape(0, 3))
        .withMessageContaining("at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FetchModel(0, true))
        .withMessageContaining("give 1 or more");
  }

  @Test
  void keptFilesGetTheReplicasOfResults() {
    List<String> wanted = List.of("mosaic.fits", "c_7.fits", "images.tbl", "region.hdr");
    HintIndex index =
        index(HintInference.infer(MontageGraph.of(5), DIR, SIX.with(SLOW), wanted::contains));

    assertThat(hint(index, "mosaic.fits"))
        .contains(HintPresets.pipeline().toBuilder().lifetime(Lifetime.keep()).build());
    assertThat(hint(index, "fits.tbl")).as("as before").contains(LOCAL);
    assertThat(hint(index, "c_7.fits"))
        .as("gathered all the same")
        .contains(
            gather("mImgtbl-2").toBuilder()
                .replication(Replication.eager(3))
                .lifetime(Lifetime.keep())
                .build());
    assertThat(hint(index, "c_8.fits")).contains(gather("mImgtbl-2"));
    assertThat(hint(index, "images.tbl"))
        .contains(copies(6).toBuilder().lifetime(Lifetime.keep()).build());
    assertThat(hint(index, "region.hdr")).contains(HintPresets.broadcast(6));
  }

  @Test
  void lifetimeHintKeepsTheInferredPlacement() {
    Workflow plain = MontageGraph.of(5);
    Map<String, DataFile> files = new LinkedHashMap<>(plain.files());
    files.put("c_7.fits", new DataFile("c_7.fits", 1_000_000, "keep"));
    Workflow written = new Workflow("w", plain.tasks(), files);

    List<InferredHint> hints = HintInference.infer(written, DIR, SIX);

    assertThat(hint(index(hints), "c_7.fits"))
        .contains(
            gather("mImgtbl-2").toBuilder()
                .replication(Replication.eager(3))
                .lifetime(Lifetime.keep())
                .build());
    assertThat(reason(hints, "c_7.fits")).endsWith("; its lifetime is written in the workflow");
  }
}
