package dev.weir.workflow.infer;

import static dev.weir.workflow.infer.InferredIndex.index;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.Lifetime;
import dev.weir.hints.Placement;
import dev.weir.hints.Replication;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileRegion;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Hints inferred for files that are read or written in regions. */
class RegionHintsTest {
  private static final ClusterShape NINETEEN = new ClusterShape(19, 3);
  private static final long MIB = 1 << 20;

  private static Optional<Hint> hint(Workflow workflow, String file) {
    return index(HintInference.infer(workflow, "/d", NINETEEN))
        .lookup("/d/" + file)
        .map(match -> match.rule().hint());
  }

  private static Hint scattered(long region) {
    return Hint.builder()
        .placement(new Placement.Scatter(region))
        .replication(Replication.eager(1))
        .lifetime(Lifetime.scratch())
        .build();
  }

  /**
   * Creates a workflow in which one task writes a file and others read it under the given names.
   */
  private static Workflow read(long bytes, List<String> mentions) {
    List<Task> tasks = new ArrayList<>();
    tasks.add(new Task("make", "make", List.of("run"), List.of(), List.of("x"), 1));
    for (int i = 0; i < mentions.size(); i++) {
      tasks.add(new Task("t" + i, "use", List.of("run"), List.of(mentions.get(i)), List.of(), 1));
    }
    return new Workflow("w", tasks, Map.of("x", new DataFile("x", bytes)));
  }

  private static List<String> regions(long bytes, long length) {
    List<String> names = new ArrayList<>();
    for (long at = 0; at < bytes; at += length) {
      names.add(new FileRegion("x", at, Math.min(length, bytes - at)).id());
    }
    return names;
  }

  @Test
  void aFileReadInRegionsIsScattered() {
    long bytes = 19 * 10 * MIB - 5;
    assertThat(hint(read(bytes, regions(bytes, 10 * MIB)), "x")).contains(scattered(10 * MIB));
  }

  @Test
  void regionsThatEndWithinAChecksumAreRoundedUp() {
    long bytes = 19 * 10_000_000L;
    assertThat(hint(read(bytes, regions(bytes, 10_000_000)), "x")).contains(scattered(10_000_384));
  }

  @Test
  void filesThatCannotBeScatteredAreNot() {
    Hint local = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    assertThat(hint(read(19_000, regions(19_000, 1000)), "x")).as("one block").contains(local);
    assertThat(hint(read(40 * MIB, List.of("x@0+1048576", "x@1048577+1048576")), "x"))
        .as("not beside each other")
        .contains(local);
    List<String> oneWhole = new ArrayList<>(regions(40 * MIB, 10 * MIB));
    oneWhole.add("x");
    assertThat(hint(read(40 * MIB, oneWhole), "x"))
        .as("one task reads all of it")
        .isPresent()
        .get()
        .isNotEqualTo(scattered(10 * MIB));
    assertThat(hint(read(1100 * MIB, regions(1100 * MIB, 1_048_577)), "x"))
        .as("regions too far from where blocks end")
        .isPresent()
        .get()
        .isNotEqualTo(scattered(1_049_088));
  }

  @Test
  void regionsWithManyReadersAreCopied() {
    List<Task> tasks = new ArrayList<>();
    tasks.add(new Task("make", "make", List.of("run"), List.of(), List.of("x"), 1));
    for (String region : regions(40 * MIB, 10 * MIB)) {
      for (int i = 0; i < 30; i++) {
        tasks.add(
            new Task("t" + tasks.size(), "use", List.of("run"), List.of(region), List.of(), 1));
      }
    }
    Workflow workflow = new Workflow("w", tasks, Map.of("x", new DataFile("x", 40 * MIB)));
    assertThat(hint(workflow, "x"))
        .contains(HintPresets.broadcast(19).toBuilder().lifetime(Lifetime.scratch()).build());
  }

  @Test
  void anInputKeepsItsReplicasWhenItIsScattered() {
    long bytes = 4 * 10 * MIB;
    List<Task> tasks = new ArrayList<>();
    for (String region : regions(bytes, 10 * MIB)) {
      tasks.add(new Task("t" + tasks.size(), "use", List.of("run"), List.of(region), List.of(), 1));
    }
    Workflow workflow = new Workflow("w", tasks, Map.of("x", new DataFile("x", bytes)));
    assertThat(hint(workflow, "x"))
        .contains(Hint.builder().placement(new Placement.Scatter(10 * MIB)).build());
  }

  @Test
  void writtenRegionsStayWithTheirWriters() {
    Map<String, DataFile> files = new LinkedHashMap<>();
    List<Task> tasks = new ArrayList<>();
    for (String region : regions(30 * 10 * MIB, 10 * MIB)) {
      tasks.add(new Task("t" + tasks.size(), "put", List.of("run"), List.of(), List.of(region), 1));
    }
    Workflow workflow = new Workflow("w", tasks, files);
    Hint local = HintPresets.pipeline().toBuilder().lifetime(Lifetime.scratch()).build();
    assertThat(hint(workflow, "x@0+10485760")).contains(local);
    assertThat(hint(workflow, "x@104857600+10485760")).contains(local);
    assertThat(hint(workflow, "x"))
        .as("the joined file, a result")
        .contains(HintPresets.pipeline());
  }
}
