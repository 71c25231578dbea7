package dev.weir.bench.blast;

import dev.weir.cluster.ProgramLookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The programs of NCBI BLAST+. */
final class BlastPrograms {
  /** What to type on Debian and its children to get them. */
  static final String INSTALL = "apt-get install ncbi-blast+";

  /** What a formatted database consists of, for version 4 of the format. */
  static final List<String> ENDINGS = List.of("nhr", "nin", "nsq");

  private static final List<String> NAMES = List.of("makeblastdb", "blastn");

  private BlastPrograms() {}

  /**
   * Looks for the programs.
   *
   * @param environment the environment whose {@code PATH} counts
   * @return the names of those that are not there
   */
  static List<String> missing(Map<String, String> environment) {
    return ProgramLookup.missing(NAMES, environment.getOrDefault("PATH", ""));
  }

  /**
   * Formats a database, in one volume.
   *
   * @param fasta the sequences
   * @param directory receives the files {@code NAME.nhr} and so on
   * @throws IOException when the program fails; the message has its last words
   * @throws InterruptedException when the thread is interrupted
   */
  static void format(Path fasta, Path directory, String name)
      throws IOException, InterruptedException {
    Path log = directory.resolve(name + ".log");
    int code =
        new ProcessBuilder(
                "makeblastdb",
                "-in",
                fasta.toAbsolutePath().toString(),
                "-dbtype",
                "nucl",
                "-blastdb_version",
                "4",
                "-max_file_sz",
                "3GB",
                "-title",
                name,
                "-out",
                directory.toAbsolutePath().resolve(name).toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (code != 0) {
      throw new IOException(
          "makeblastdb ended with " + code + ": " + Files.readString(log).strip());
    }
    Files.delete(log);
    for (String ending : ENDINGS) {
      if (!Files.isRegularFile(directory.resolve(name + "." + ending))) {
        throw new IOException(
            "makeblastdb made no "
                + name
                + "."
                + ending
                + ": the database takes several volumes; choose a smaller scale");
      }
    }
  }
}
