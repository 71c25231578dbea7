package dev.weir.hdfs.gather;

import static dev.weir.hdfs.gather.GatherCluster.BLOCK;
import static dev.weir.hdfs.gather.GatherCluster.REGION;
import static dev.weir.hdfs.gather.GatherCluster.bytes;
import static dev.weir.hdfs.gather.GatherCluster.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.junit.jupiter.api.Test;

class GatherTest extends GatherFixture {
  private static final GatherSpec SPEC = GatherSpec.ofRegions(REGION);

  @Test
  void regionsBecomeOneFileThatHasTheirBlocks() throws Exception {
    byte[] file = bytes(3 * REGION + BLOCK / 2, 1);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(4).withReplication(2));
    for (int region : new int[] {3, 0, 2, 1}) {
      assertThat(write(gather, file, region)).isTrue();
      assertThat(fs.exists(target)).isFalse();
    }
    assertThat(gather.commit(CommitOptions.PLAIN))
        .isEqualTo(new CommittedGather(gather.target(), file.length, false));
    assertThat(cluster.read(target)).isEqualTo(file);
    FileStatus status = fs.getFileStatus(target);
    assertThat(status.getBlockSize()).isEqualTo(BLOCK);
    assertThat(status.getReplication()).isEqualTo((short) 2);
    assertThat(fs.getFileBlockLocations(status, 0, file.length))
        .extracting(BlockLocation::getLength)
        .hasSize(10)
        .endsWith((long) BLOCK / 2);
    assertThat(cluster.list(directory)).containsExactly("file");
    DFSTestUtil.appendFile(fs, target, "more");
    assertThat(fs.getFileStatus(target).getLen()).isEqualTo(file.length + 4);
  }

  @Test
  void aRegionNeedNotEndWithABlock() throws Exception {
    Gather gather =
        cluster
            .gathers()
            .begin(target, GatherSpec.ofRegions(1000).withRegions(3).withBlockSize(512));
    byte[] file = bytes(2001, 2);
    for (int region = 0; region < 3; region++) {
      int from = region * 1000;
      byte[] part = Arrays.copyOfRange(file, from, Math.min(2001, from + 1000));
      gather.write(region, new ByteArrayInputStream(part));
    }
    gather.commit(CommitOptions.PLAIN);
    assertThat(cluster.read(target)).isEqualTo(file);
    try (var in = fs.open(target)) {
      byte[] middle = new byte[1200];
      in.readFully(700, middle);
      assertThat(middle).isEqualTo(Arrays.copyOfRange(file, 700, 1900));
    }
  }

  @Test
  void blocksEndWithRegionsByDefault() throws Exception {
    Gather gather = cluster.gathers().begin(target, GatherSpec.ofRegions(3 * BLOCK / 2));
    gather.write(0, new ByteArrayInputStream(bytes(3 * BLOCK / 2, 3)));
    gather.commit(CommitOptions.PLAIN.withRegions(1));
    assertThat(fs.getFileStatus(target).getBlockSize()).isEqualTo(BLOCK / 2);
  }

  @Test
  void trailingEmptyRegionsAreIgnored() throws Exception {
    byte[] file = bytes(REGION + 1, 4);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(4));
    writeAll(gather, file, 4);
    gather.commit(CommitOptions.PLAIN);
    assertThat(cluster.read(target)).isEqualTo(file);
    Path empty = new Path(directory, "empty");
    Gather nothing = cluster.gathers().begin(empty, SPEC);
    writeAll(nothing, new byte[0], 2);
    assertThat(nothing.commit(CommitOptions.PLAIN.withRegions(2)).bytes()).isZero();
    assertThat(cluster.read(empty)).isEmpty();
    assertThat(cluster.list(directory)).containsExactly("empty", "file");
  }

  @Test
  void aCommitNamesMissingRegionsAndCanBeRetried() throws Exception {
    byte[] file = bytes(3 * REGION, 5);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(3));
    write(gather, file, 0);
    try (RegionOutputStream slow = gather.write(1)) {
      slow.write(region(file, 1));
      assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.INCOMPLETE)
          .hasMessageContaining("region 2 is missing")
          .hasMessageContaining("region 1 is still being written");
      assertThat(fs.exists(target)).isFalse();
      slow.finish();
    }
    write(gather, file, 2);
    gather.commit(CommitOptions.PLAIN);
    assertThat(cluster.read(target)).isEqualTo(file);
  }

  @Test
  void theNumberOfRegionsIsRequiredOnce() throws Exception {
    Gather gather = cluster.gathers().begin(target, SPEC);
    writeAll(gather, bytes(REGION, 6), 1);
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.WRONG_USAGE)
        .hasMessageContaining("--regions");
    assertRefused(() -> gather.commit(CommitOptions.PLAIN.withRegions(2)), Problem.INCOMPLETE);
    gather.commit(CommitOptions.PLAIN.withRegions(1));
    Gather other = cluster.gathers().begin(new Path(directory, "other"), SPEC.withRegions(2));
    assertRefused(() -> other.commit(CommitOptions.PLAIN.withRegions(3)), Problem.WRONG_USAGE)
        .hasMessageContaining("begun with 2 regions, not for 3");
    assertRefused(() -> other.write(2), Problem.WRONG_USAGE).hasMessageContaining("0 to 1");
  }

  @Test
  void aRegionOfTheWrongSizeIsRefused() throws Exception {
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(2));
    try (RegionOutputStream out = gather.write(0)) {
      out.write(new byte[REGION]);
      assertRefused(() -> out.write(1), Problem.WRONG_SIZE).hasMessageContaining("region 0");
    }
    assertThat(cluster.list(gather.path())).containsExactly("whole");
    gather.write(0, new ByteArrayInputStream(new byte[REGION - 1]));
    gather.write(1, new ByteArrayInputStream(new byte[1]));
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.WRONG_SIZE)
        .hasMessageContaining("region 0 has 3071 bytes instead of 3072");
    assertThat(fs.exists(target)).isFalse();
  }

  @Test
  void theFirstFinishedAttemptBecomesTheRegion() throws Exception {
    byte[] file = bytes(REGION, 7);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(1));
    try (RegionOutputStream slow = gather.write(0);
        RegionOutputStream quick = gather.write(0)) {
      slow.write(new byte[REGION]);
      try (RegionOutputStream failed = gather.write(0)) {
        failed.write(1);
      }
      quick.write(file);
      assertThat(quick.finish()).isTrue();
      assertThat(slow.finish()).isFalse();
      assertThatThrownBy(slow::finish).hasMessageContaining("is finished");
      assertThatThrownBy(() -> slow.write(1)).hasMessageContaining("is finished");
    }
    assertThat(cluster.list(gather.path())).containsExactly("part-00000", "whole");
    gather.commit(CommitOptions.PLAIN);
    assertThat(cluster.read(target)).isEqualTo(file);
  }

  @Test
  void anAttemptAfterTheCommitIsDiscarded() throws Exception {
    byte[] file = bytes(REGION, 8);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(1));
    try (RegionOutputStream late = gather.write(0)) {
      late.write(new byte[BLOCK]);
      write(gather, file, 0);
      gather.commit(CommitOptions.PLAIN);
      assertThat(late.finish()).isFalse();
    }
    assertThat(cluster.read(target)).isEqualTo(file);
    assertThat(cluster.list(directory)).containsExactly("file");
    assertRefused(() -> gather.write(0), Problem.COMPLETE);
  }

  @Test
  void aSecondCommitReturnsTheFirstResult() throws Exception {
    byte[] file = bytes(2 * REGION, 9);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(2));
    writeAll(gather, file, 2);
    gather.commit(CommitOptions.PLAIN);
    Gather same = cluster.gathers().open(gather.path());
    assertThat(same.commit(CommitOptions.PLAIN))
        .isEqualTo(new CommittedGather(gather.target(), file.length, true));
    assertThat(same.abort()).as("abort after commit").isFalse();
    assertThat(cluster.read(target)).isEqualTo(file);
    fs.delete(target, false);
    assertRefused(() -> same.commit(CommitOptions.PLAIN), Problem.NO_SUCH_GATHER);
  }

  @Test
  void aCommitResumesAKilledCommit() throws Exception {
    byte[] file = bytes(2 * REGION, 10);
    Gather joined = cluster.gathers().begin(target, SPEC.withRegions(2));
    writeAll(joined, file, 2);
    Path closed = close(joined);
    assertRefused(() -> write(joined, new byte[REGION], 0), Problem.COMPLETE);
    fs.concat(whole(closed), new Path[] {part(closed, 0), part(closed, 1)});
    assertThat(joined.commit(CommitOptions.PLAIN).bytes()).isEqualTo(file.length);
    assertThat(cluster.read(target)).isEqualTo(file);
    Gather renamed = cluster.gathers().begin(new Path(directory, "other"), SPEC.withRegions(1));
    writeAll(renamed, file, 1);
    closed = close(renamed);
    fs.concat(whole(closed), new Path[] {part(closed, 0)});
    fs.rename(whole(closed), renamed.target());
    assertThat(renamed.commit(CommitOptions.PLAIN).wasBefore()).isTrue();
    assertThat(cluster.list(directory)).containsExactly("file", "other");
  }

  @Test
  void anExistingTargetIsReplacedOnlyOnRequest() throws Exception {
    DFSTestUtil.writeFile(fs, target, "old");
    byte[] file = bytes(REGION, 11);
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(1));
    writeAll(gather, file, 1);
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.TARGET_EXISTS)
        .hasMessageContaining("/file exists");
    assertThat(DFSTestUtil.readFile(fs, target)).isEqualTo("old");
    gather.commit(CommitOptions.PLAIN.replacing());
    assertThat(cluster.read(target)).isEqualTo(file);
    Gather next = cluster.gathers().begin(target, SPEC.withRegions(1));
    writeAll(next, new byte[1], 1);
    assertRefused(() -> next.commit(CommitOptions.PLAIN), Problem.TARGET_EXISTS);
    next.commit(CommitOptions.PLAIN.replacing());
    assertThat(cluster.read(target)).isEqualTo(new byte[1]);
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.NO_SUCH_GATHER);
  }

  @Test
  void anAbortRemovesAllAndStopsWriters() throws Exception {
    Gather gather = cluster.gathers().begin(target, SPEC.withRegions(2));
    write(gather, new byte[REGION], 0);
    try (RegionOutputStream out = gather.write(1)) {
      out.write(1);
      out.flush();
      assertThat(gather.abort()).isTrue();
      assertThat(cluster.list(directory)).isEmpty();
      out.write(1);
      assertRefused(out::finish, Problem.NO_SUCH_GATHER);
    }
    assertThat(gather.abort()).isFalse();
    assertRefused(() -> gather.write(0), Problem.NO_SUCH_GATHER);
    assertRefused(() -> gather.commit(CommitOptions.PLAIN), Problem.NO_SUCH_GATHER);
    assertThat(cluster.list(directory)).isEmpty();
  }

  @Test
  void expiredGathersAreRemovedByTheNextBegin() throws Exception {
    Gather expired =
        cluster.gathers().begin(target, SPEC.withRegions(2).withLifetime(Duration.ofHours(1)));
    write(expired, new byte[REGION], 0);
    Gather longer =
        cluster.gathers().begin(target, SPEC.withRegions(1).withLifetime(Duration.ofHours(3)));
    Path foreign = new Path(directory, ".x.weir-gather-0000000000000001");
    DFSTestUtil.writeFile(fs, new Path(foreign, "not-of-a-gather"), "mine");
    assertThat(cluster.gathers().sweep(directory)).isZero();
    GatherClient later = cluster.gathers(Clock.offset(Clock.systemUTC(), Duration.ofHours(2)));
    Gather next = later.begin(new Path(directory, "next"), SPEC);
    assertThat(fs.exists(expired.path())).isFalse();
    assertThat(fs.exists(longer.path())).isTrue();
    GatherClient muchLater = cluster.gathers(Clock.offset(Clock.systemUTC(), Duration.ofDays(30)));
    assertThat(muchLater.sweep(directory)).isEqualTo(2);
    assertThat(fs.exists(next.path())).isFalse();
    assertThat(cluster.list(directory))
        .containsExactly(foreign.getName(), foreign.getName() + "/not-of-a-gather");
  }

  @Test
  void leftoversOfKilledCallsAreRemovedAfterADay() throws Exception {
    Path begun = new Path(directory, ".x.weir-gather-0000000000000002");
    DFSTestUtil.createFile(fs, new Path(begun, "whole"), 0, (short) 1, 0);
    Path committed = new Path(directory, ".y.weir-gather-0000000000000003");
    DFSTestUtil.createFile(fs, new Path(committed, "part-00001.0000000000000001"), 5, (short) 1, 0);
    assertThat(cluster.gathers().sweep(directory)).isZero();
    Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofHours(25));
    assertThat(cluster.gathers(tomorrow).sweep(directory)).isEqualTo(2);
    assertThat(cluster.list(directory)).isEmpty();
  }

  private static Path close(Gather gather) throws IOException {
    Path closed = gather.path().suffix(".commit");
    assertThat(fs.rename(gather.path(), closed)).isTrue();
    return closed;
  }

  private static Path whole(Path gather) {
    return new Path(gather, "whole");
  }

  private static Path part(Path gather, int region) {
    return new Path(gather, "part-0000" + region);
  }
}
