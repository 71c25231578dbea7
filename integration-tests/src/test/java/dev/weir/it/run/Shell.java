package dev.weir.it.run;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code weir} as a user types it, each time in a process of its own. */
final class Shell {
  private final LocalCluster cluster;
  private final Path folder;

  /**
   * A shell.
   *
   * @param folder of the test's own
   */
  Shell(LocalCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /**
   * How a command ended.
   *
   * @param code its exit code
   * @param out what it printed
   * @param err what it printed besides
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
   * @param environment what is added to this process's own
   * @param folder for files of what it prints
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
