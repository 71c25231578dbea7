package dev.weir.bench.blast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NucleotidesTest {
  private static final NucleotideSpec SPEC = new NucleotideSpec(1_000_000, 7, 42);

  @TempDir Path directory;

  @Test
  void databaseHasTheSpecifiedBases() throws IOException {
    Path fasta = directory.resolve("nt.fasta");
    new Nucleotides(SPEC).writeDatabase(fasta);

    List<String> lines = Files.readAllLines(fasta);
    List<String> bases = lines.stream().filter(line -> !line.startsWith(">")).toList();
    assertThat(bases.stream().mapToInt(String::length).sum()).isEqualTo(1_000_000);
    assertThat(bases).allMatch(line -> line.matches("[ACGT]{1,80}"));
    assertThat(lines.stream().filter(line -> line.startsWith(">"))).doesNotHaveDuplicates();
  }

  @Test
  void bytesDependOnTheSeedOnly() throws IOException {
    Path one = directory.resolve("1");
    Path same = directory.resolve("2");
    Path other = directory.resolve("3");
    new Nucleotides(SPEC).writeDatabase(one);
    new Nucleotides(SPEC).writeDatabase(same);
    new Nucleotides(new NucleotideSpec(1_000_000, 7, 43)).writeDatabase(other);

    assertThat(one).hasSameBinaryContentAs(same);
    assertThat(Files.mismatch(one, other)).isNotNegative();
  }

  @Test
  void queriesAreDistributedEvenly() throws IOException {
    List<Path> files =
        List.of(directory.resolve("a"), directory.resolve("b"), directory.resolve("c"));
    new Nucleotides(SPEC).writeQueries(files);

    assertThat(names(files.get(0))).containsExactly(">q1", ">q4", ">q7");
    assertThat(names(files.get(1))).containsExactly(">q2", ">q5");
    assertThat(names(files.get(2))).containsExactly(">q3", ">q6");
  }

  @Test
  void scalesThePublishedSizeWithFourBasesPerByte() {
    assertThat(NucleotideSpec.scaled(0.1, 38, 1).bases()).isEqualTo(680_000_000L);
    assertThatThrownBy(() -> NucleotideSpec.scaled(1e-9, 38, 1))
        .hasMessageContaining("larger scale");
  }

  private static List<String> names(Path fasta) throws IOException {
    return Files.readAllLines(fasta).stream().filter(line -> line.startsWith(">")).toList();
  }
}
