package dev.weir.bench.blast;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The programs of NCBI BLAST+. */
final class BlastPrograms {
  /** The command that installs them on Debian and its derivatives. */
  static final String INSTALL = "apt-get install ncbi-blast+";

  /** The file extensions of a formatted database, for version 4 of the format. */
  static final List<String> ENDINGS = List.of("nhr", "nin", "nsq");

  static final List<String> NAMES = List.of("makeblastdb", "blastn");

  private BlastPrograms() {}

  /**
   * Formats a database, in one volume.
   *
   * @param fasta the sequences
   * @param directory receives the files {@code NAME.nhr} and so on
   * @throws IOException if the program fails; the message has the end of its output
   * @throws InterruptedException if the thread is interrupted
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
          "makeblastdb ended with exit code " + code + ": " + Files.readString(log).strip());
    }
    Files.delete(log);
    for (String ending : ENDINGS) {
      if (!Files.isRegularFile(directory.resolve(name + "." + ending))) {
        throw new IOException(
            "makeblastdb wrote no "
                + name
                + "."
                + ending
                + ": the database needs several volumes; choose a smaller scale");
      }
    }
  }
}
