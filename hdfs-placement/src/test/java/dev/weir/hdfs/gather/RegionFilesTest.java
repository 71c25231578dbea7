package dev.weir.hdfs.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class RegionFilesTest {
  private static final long REGION = 100;
  private static final GatherManifest MANIFEST = manifest(REGION);
  private static final String ATTEMPT = ".0123456789abcdef";

  @Test
  void fullRegionsAreJoinedInOrder() throws Exception {
    RegionFiles regions = new RegionFiles();
    for (int region : new int[] {2, 0, 10, 1, 3, 4, 5, 6, 7, 8, 9}) {
      regions.add(GatherPaths.partName(region), REGION);
    }
    assertThat(regions.regionsToJoin("/f", MANIFEST, 11))
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  }

  @Test
  void theLastRegionMayBeShortAndFollowedByEmptyOnes() throws Exception {
    assertThat(of(100, 100, 1).regionsToJoin("/f", MANIFEST, 3)).containsExactly(0, 1, 2);
    assertThat(of(100, 1, 0, 0).regionsToJoin("/f", MANIFEST, 4)).containsExactly(0, 1);
    assertThat(of(100, 0, 0).regionsToJoin("/f", MANIFEST, 3)).containsExactly(0);
    assertThat(of(0, 0).regionsToJoin("/f", MANIFEST, 2)).isEmpty();
  }

  @Test
  void aRegionOfTheWrongSizeIsNamed() {
    assertThatRefused(of(100, 99, 100), 3, Problem.WRONG_SIZE)
        .hasMessageContaining("region 1 has 99 bytes instead of 100")
        .hasMessageContaining("region 2");
    assertThatRefused(of(0, 100), 2, Problem.WRONG_SIZE)
        .hasMessageContaining("region 0 has 0 bytes");
    assertThatRefused(of(100, 101), 2, Problem.WRONG_SIZE)
        .hasMessageContaining("region 1 has 101 bytes, more than the 100");
    assertThatRefused(of(100, 100, 100), 2, Problem.WRONG_SIZE)
        .hasMessageContaining("has a region 2 but should have 2");
  }

  @Test
  void aMissingRegionIsNamed() {
    assertThatRefused(of(100), 3, Problem.INCOMPLETE)
        .hasMessageContaining("regions 1, 2 are missing");
    assertThatRefused(of(), 1, Problem.INCOMPLETE).hasMessageContaining("region 0 is missing");
    assertThatRefused(of(), 1000, Problem.INCOMPLETE).hasMessageContaining("7 and 992 more are");
  }

  @Test
  void anUnfinishedRegionIsNamedUnlessAnotherAttemptIsComplete() throws Exception {
    RegionFiles regions = of(100, 100);
    regions.add(GatherPaths.partName(1) + ATTEMPT, 7);
    assertThat(regions.regionsToJoin("/f", MANIFEST, 2)).containsExactly(0, 1);
    regions.add(GatherPaths.partName(2) + ATTEMPT, 100);
    assertThatRefused(regions, 3, Problem.INCOMPLETE)
        .hasMessageContaining("region 2 is still being written")
        .hasMessageContaining("part-00002.0123456789abcdef");
  }

  @Test
  void otherFilesAreIgnored() throws Exception {
    RegionFiles regions = of(100);
    regions.add("whole", 5);
    regions.add("part-1", 5);
    regions.add("part-00001.bak", 5);
    assertThat(regions.regionsToJoin("/f", MANIFEST, 1)).containsExactly(0);
  }

  @Test
  void acceptsExactlyContiguousFiles() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long[] sizes =
          IntStream.range(0, 1 + random.nextInt(5))
              .mapToLong(i -> new long[] {0, 1, 2, 3}[random.nextInt(4)])
              .toArray();
      boolean isFile = true;
      long end = 0;
      for (int i = 0; i < sizes.length; i++) {
        isFile &= sizes[i] <= 2 && (sizes[i] == 0 || end == 2L * i);
        end += sizes[i];
      }
      assertThat(isAccepted(of(sizes), sizes.length)).as("seed %d", seed).isEqualTo(isFile);
    }
  }

  private static boolean isAccepted(RegionFiles regions, int number) {
    try {
      regions.regionsToJoin("/f", manifest(2), number);
      return true;
    } catch (GatherException e) {
      return false;
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertThatRefused(
      RegionFiles regions, int number, Problem problem) {
    return assertThatThrownBy(() -> regions.regionsToJoin("/f", MANIFEST, number))
        .isInstanceOfSatisfying(
            GatherException.class, e -> assertThat(e.problem()).isEqualTo(problem))
        .hasMessageContaining("/f");
  }

  private static GatherManifest manifest(long regionBytes) {
    return new GatherManifest("1", regionBytes, OptionalInt.empty(), Instant.EPOCH);
  }

  private static RegionFiles of(long... sizes) {
    RegionFiles regions = new RegionFiles();
    for (int region = 0; region < sizes.length; region++) {
      regions.add(GatherPaths.partName(region), sizes[region]);
    }
    return regions;
  }
}
