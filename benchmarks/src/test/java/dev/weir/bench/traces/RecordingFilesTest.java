package dev.weir.bench.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordingFilesTest {
  @TempDir private Path folder;
  private Path directory;

  @BeforeEach
  void resolve() throws IOException {
    directory = folder.toRealPath();
  }

  private Path make(String path) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "{}");
  }

  private List<Path> named(String... names) throws IOException {
    return RecordingFiles.below(folder).named(List.of(names));
  }

  @Test
  void findsFilesOfTheDirectory() throws IOException {
    make("README.md");
    Path blast = make("blast-small.json");
    Path bwa = make("bwa-small.json");

    assertThat(named("bwa-small", "blast-small")).containsExactly(bwa, blast);
    assertThat(named("all")).containsExactly(blast, bwa);
  }

  @Test
  void findsFilesOfSubdirectories() throws IOException {
    Path montage = make("pegasus/montage/chameleon-cloud/montage-01d.json");
    Path blast = make("makeflow/blast/blast-small.json");

    assertThat(named("montage-01d")).containsExactly(montage);
    assertThat(named("pegasus/montage/chameleon-cloud/montage-01d")).containsExactly(montage);
    assertThat(named("all")).containsExactly(blast, montage);
  }

  @Test
  void ambiguousNamesAreRefused() throws IOException {
    Path one = make("old/blast-small.json");
    Path other = make("new/blast-small.json");
    Path bwa = make("new/bwa-small.json");

    for (String[] names :
        List.of(
            new String[] {"blast-small"},
            new String[] {"all"},
            new String[] {"old/blast-small", "new/blast-small"})) {
      assertThatIllegalArgumentException()
          .as(String.join(",", names))
          .isThrownBy(() -> named(names))
          .withMessageContaining(one.toString())
          .withMessageContaining(other.toString())
          .withMessageContaining("--instances");
    }
    assertThat(named("bwa-small", "old/blast-small")).containsExactly(bwa, one);
  }

  @Test
  void skipsSeriesAndHiddenDirectories() throws IOException {
    make("weir-bench/traces/series.json");
    make("weir-bench/traces/blast-small/weir-1.json");
    make(".github/settings.json");
    Path blast = make("blast-small.json");

    assertThat(named("all")).containsExactly(blast);
  }

  @Test
  void missingFilesAreReportedWithARemedy() throws IOException {
    make("blast-small.json");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> named("small"))
        .withMessageContaining("small.json does not exist")
        .withMessageContaining("--instances");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordingFiles.below(folder.resolve("nowhere")))
        .withMessageContaining("nowhere is not a directory");
  }
}
