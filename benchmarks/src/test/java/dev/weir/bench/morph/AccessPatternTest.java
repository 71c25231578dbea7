package dev.weir.bench.morph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.bench.morph.AccessPattern.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessPatternTest {
  private static final int FILES = 24;
  private static final int DRAWS = 200_000;

  private static List<Operation> draw(AccessPattern pattern, long seed) {
    Supplier<Operation> operations = pattern.operations(seed);
    return Stream.generate(operations).limit(DRAWS).toList();
  }

  @ParameterizedTest
  @EnumSource
  void sharesAddUpToAllOperations(MorphWorkload workload) {
    AccessPattern pattern = AccessPattern.of(workload, FILES, 1);

    double reads = IntStream.range(0, FILES).mapToDouble(pattern::readShare).sum();

    assertThat(reads + workload.writeShare()).isCloseTo(1, within(1e-9));
    assertThat(pattern.writeShare() * FILES)
        .isCloseTo(workload.writeShare() * workload.writtenPart(), within(1e-9));
  }

  @Test
  void theSecondFileIsReadHalfAsOftenWithExponentOne() {
    AccessPattern pattern = AccessPattern.of(MorphWorkload.VIDEO, FILES, 1);
    List<Double> shares =
        IntStream.range(0, FILES)
            .mapToObj(pattern::readShare)
            .sorted(Comparator.reverseOrder())
            .toList();

    assertThat(shares.get(0) / shares.get(1)).isCloseTo(2, within(1e-9));
    assertThat(shares.get(0) / shares.get(FILES - 1)).isCloseTo(FILES, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource
  void drawsFollowTheShares(MorphWorkload workload) {
    AccessPattern pattern = AccessPattern.of(workload, FILES, 3);
    List<Operation> drawn = draw(pattern, 4);

    for (int file = 0; file < FILES; file++) {
      int number = file;
      double reads =
          drawn.stream().filter(one -> !one.isWrite() && one.file() == number).count()
              / (double) DRAWS;
      double writes =
          drawn.stream().filter(one -> one.isWrite() && one.file() == number).count()
              / (double) DRAWS;
      assertThat(reads).isCloseTo(pattern.readShare(file), within(0.005));
      assertThat(writes).isCloseTo(workload.writeShare() / FILES, within(0.002));
    }
  }

  @Test
  void aSeedRepeatsTheDraws() {
    AccessPattern pattern = AccessPattern.of(MorphWorkload.MONGODB, FILES, 1);

    assertThat(draw(pattern, 5)).isEqualTo(draw(pattern, 5)).isNotEqualTo(draw(pattern, 6));
    assertThat(AccessPattern.of(MorphWorkload.MONGODB, FILES, 2).readShare(0))
        .isEqualTo(AccessPattern.of(MorphWorkload.MONGODB, FILES, 2).readShare(0));
  }
}
