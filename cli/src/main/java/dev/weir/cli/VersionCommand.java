package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "version",
    description = "Prints the versions of Weir, Hadoop and Java.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir version"})
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.root().commandLine().printVersionHelp(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
    return 0;
  }
}
