package dev.weir.cli.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir cluster hdfs}. */
@Command(
    name = "hdfs",
    description = "Runs Hadoop's own 'hdfs' command on the master or on another node.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir cluster hdfs dfs -ls /",
      "  weir cluster hdfs --on n1 dfs -put big.dat /"
    })
final class HdfsCommand implements Callable<Integer> {
  @Mixin private ShellNode node;

  @Parameters(paramLabel = "WORDS", description = "What follows 'hdfs'.")
  private List<String> words = new ArrayList<>();

  @Spec
  void setSpec(CommandSpec spec) {
    // What follows the first word is Hadoop's own.
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return node.run(HadoopShell.HDFS, words);
  }
}
