package dev.weir.workflow.provenance;

import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Lineages for tests. */
final class Lineages {
  static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private Lineages() {}

  /**
   * Creates the lineage of a mosaic: one run sums the given number of projected images, with a
   * header of an earlier run.
   */
  static Lineage mosaic(int images) {
    List<FileVersion> files = new ArrayList<>();
    List<Making> attempts = new ArrayList<>();
    files.add(file("f0", "/m/sum.fits", 42L, "0a1b2c3d", "a0"));
    files.add(file("f1", "/m/region.hdr", null, null, "a1"));
    List<String> used = new ArrayList<>(List.of("f1"));
    attempts.add(making("a1", "run-1", "header", List.of("mHdr", "M 31"), List.of(), "f1"));
    for (int i = 0; i < images; i++) {
      String raw = "r" + i;
      String projected = "p" + i;
      files.add(file(raw, "/m/raw" + i + ".fits", null, null, null));
      files.add(file(projected, "/m/proj" + i + ".fits", 7L, null, "b" + i));
      attempts.add(
          making(
              "b" + i,
              "run-2",
              "project",
              List.of("mProject", "raw" + i + ".fits"),
              List.of(raw, "f1"),
              projected));
      used.add(projected);
    }
    attempts.add(0, making("a0", "run-2", "add", List.of("mAdd", "it's"), used, "f0"));
    return new Lineage(
        "/m/sum.fits",
        new FileNow(true, 42, START, "0a1b2c3d"),
        Verdict.SAME,
        "The file in HDFS is this one.",
        files,
        attempts,
        List.of(run("run-2", "ann"), run("run-1", "o'neil, x")),
        false);
  }

  private static FileVersion file(
      String key,
      String path,
      @Nullable Long bytes,
      @Nullable String crc,
      @Nullable String madeBy) {
    return new FileVersion(key, path, bytes, crc, madeBy, null);
  }

  private static Making making(
      String key, String run, String type, List<String> command, List<String> used, String made) {
    return new Making(
        key,
        run,
        run.equals("run-2") ? "ann" : "o'neil, x",
        type + "-" + key,
        type,
        1,
        Outcome.SUCCEEDED,
        command,
        "w1",
        "node1",
        START,
        START.plusSeconds(2),
        1500,
        type.equals("add") ? new ResourceUse(2_750, 14_700_000) : null,
        used,
        0,
        List.of(made));
  }

  private static RunName run(String id, String owner) {
    return new RunName(
        id, owner, "montage", "weir", RunPhase.SUCCEEDED, false, START, START.plusSeconds(9));
  }

  /** Joins lines. */
  static String lines(String... lines) {
    StringBuilder text = new StringBuilder();
    IntStream.range(0, lines.length)
        .forEach(i -> text.append(lines[i]).append(System.lineSeparator()));
    return text.toString();
  }
}
