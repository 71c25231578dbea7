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

/** {@code weir cluster yarn}. */
@Command(
    name = "yarn",
    description = "Runs Hadoop's own 'yarn' command on the master or on another node.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cluster yarn node -list"})
final class YarnCommand implements Callable<Integer> {
  @Mixin private ShellNode node;

  @Parameters(paramLabel = "WORDS", description = "What follows 'yarn'.")
  private List<String> words = new ArrayList<>();

  @Spec
  void setSpec(CommandSpec spec) {
    // What follows the first word is Hadoop's own.
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    return node.run(HadoopShell.YARN, words);
  }
}
