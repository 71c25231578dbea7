package dev.weir.cli.cluster;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where one of Hadoop's own commands runs. */
final class ShellNode {
  @Mixin private ClusterChoice choice;

  @Option(
      names = "--on",
      paramLabel = "NODE",
      defaultValue = "master",
      description = "The node to run it on (default: ${DEFAULT-VALUE}).")
  private String node;

  int run(HadoopShell shell, List<String> words) throws IOException, InterruptedException {
    String mainClass = shell.mainClass(words);
    return choice
        .attach()
        .java(node, mainClass, shell.arguments(words))
        .inheritIO()
        .start()
        .waitFor();
  }
}
