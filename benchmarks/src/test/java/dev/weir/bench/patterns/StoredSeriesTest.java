package dev.weir.bench.patterns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The docs have the figures that the series in docs/series give. */
class StoredSeriesTest {
  private static final Path SERIES = Path.of("..", "docs", "series");
  private static final long MOST_BYTES = 100_000;

  @Test
  void figuresOfTheDocsAreThoseOfTheSeries() throws IOException {
    for (Map.Entry<Path, String> file : SeriesFigures.files(SERIES).entrySet()) {
      assertThat(file.getKey())
          .as("%s: run weir bench figures", file.getKey())
          .content()
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void filesAreSmall() throws IOException {
    try (Stream<Path> files = Files.list(SERIES)) {
      List<Path> all = files.toList();
      assertThat(all).isNotEmpty().allMatch(file -> file.toFile().length() < MOST_BYTES);
    }
  }
}
