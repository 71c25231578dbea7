package dev.weir.it.run;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs {@code weir} commands, each in its own process. */
final class Shell {
  private final LocalCluster cluster;
  private final Path folder;

  /**
   * Creates a shell.
   *
   * @param folder for temporary files
   */
  Shell(LocalCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /**
   * The result of a command.
   *
   * @param code its exit code
   * @param out its standard output
   * @param err its standard error
   */
  record Ran(int code, String out, String err) {
    @Override
    public String toString() {
      return code + "\n" + out + "\n" + err;
    }
  }

  Ran weir(String... arguments) throws IOException, InterruptedException {
    return weir(Map.of(), arguments);
  }

  Ran weir(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Distribution.built().weir().toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--cluster", cluster.dir().toString()));
    return run(command, environment, folder);
  }

  /**
   * Runs a command until it ends.
   *
   * @param environment added to that of this process
   * @param folder for files of its output
   */
  static Ran run(List<String> command, Map<String, String> environment, Path folder)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    return new Ran(code, Files.readString(out), Files.readString(err));
  }
}
