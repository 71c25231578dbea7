package dev.weir.montage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurveyTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 7, 12, 16, 25, 40})
  void tilesOverlapOnlyTheirNeighboursInTheGrid(int tiles) {
    for (long seed = 0; seed < 20; seed++) {
      Survey survey = Survey.plan(new SkySpec(tiles, 400, seed));
      assertThat(new HashSet<>(survey.overlaps())).as("seed %d", seed).isEqualTo(neighbours(tiles));
    }
  }

  private static Set<TilePair> neighbours(int tiles) {
    int columns = (int) Math.ceil(Math.sqrt(tiles));
    Set<TilePair> pairs = new HashSet<>();
    for (int i = 0; i < tiles; i++) {
      for (int j = i + 1; j < tiles; j++) {
        if (Math.abs(i % columns - j % columns) <= 1 && Math.abs(i / columns - j / columns) <= 1) {
          pairs.add(new TilePair(i, j));
        }
      }
    }
    return pairs;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 25})
  void theRegionEnclosesAllTilesWithAMargin(int tiles) {
    Survey survey = Survey.plan(SkySpec.ofTiles(tiles));
    PixelBox all =
        survey.tiles().stream()
            .map(tile -> tile.image().footprintIn(survey.region()))
            .reduce(PixelBox::union)
            .orElseThrow();
    assertThat(all)
        .isEqualTo(new PixelBox(6, 6, survey.region().width() - 5, survey.region().height() - 5));
  }

  @Test
  void planIsDeterminedByTheSeed() {
    Survey survey = Survey.plan(new SkySpec(4, 400, 7));
    assertThat(Survey.plan(new SkySpec(4, 400, 7)).tiles()).isEqualTo(survey.tiles());
    assertThat(Survey.plan(new SkySpec(4, 400, 7)).stars()).isEqualTo(survey.stars());
    assertThat(Survey.plan(new SkySpec(4, 400, 8)).tiles()).isNotEqualTo(survey.tiles());
  }

  @Test
  void backgroundsDifferAndTheirSlopesCancel() {
    Survey survey = Survey.plan(SkySpec.ofTiles(9));
    assertThat(survey.tiles().stream().map(tile -> tile.background().level()))
        .doesNotHaveDuplicates();
    assertThat(survey.tiles().stream().mapToDouble(tile -> tile.background().slopeX()).sum())
        .isCloseTo(0, within(1e-12));
    assertThat(survey.tiles().stream().mapToDouble(tile -> tile.background().slopeY()).sum())
        .isCloseTo(0, within(1e-12));
  }

  @Test
  void oneTileIsRefused() {
    assertThatThrownBy(() -> SkySpec.ofTiles(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A mosaic takes 2 to 10000 tiles, not 1");
  }
}
