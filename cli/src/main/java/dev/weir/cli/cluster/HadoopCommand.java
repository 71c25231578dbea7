package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command of Hadoop on a node. */
abstract class HadoopCommand implements Callable<Integer> {
  private final HadoopShell shell;

  @Mixin private ClusterChoice choice;

  @Option(
      names = "--on",
      paramLabel = "NODE",
      defaultValue = "master",
      description = "Name of the node (default: ${DEFAULT-VALUE}).")
  private String node;

  @Option(
      names = "--user",
      paramLabel = "USER",
      description =
          "User of the command (default: you, HDFS's superuser). A cluster started with --secure"
              + " has alice, a user without special rights.")
  private String user = System.getProperty("user.name");

  @Parameters(paramLabel = "WORDS", description = "Arguments of '${COMMAND-NAME}'.")
  private List<String> words = new ArrayList<>();

  HadoopCommand(HadoopShell shell) {
    this.shell = shell;
  }

  @Spec
  void setSpec(CommandSpec spec) {
    // Arguments after the first word belong to Hadoop.
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String mainClass = shell.mainClass(words);
    LocalCluster cluster = choice.attach();
    ProcessBuilder process = cluster.java(node, mainClass, shell.arguments(words));
    cluster.runAs(user, process.environment());
    return process.inheritIO().start().waitFor();
  }
}
