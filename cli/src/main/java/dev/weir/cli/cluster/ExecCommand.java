package dev.weir.cli.cluster;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "exec",
    description = "Runs a command on a node and exits with its exit code.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cluster exec n1 -- hostname"})
final class ExecCommand implements Callable<Integer> {
  @Mixin private ClusterChoice choice;

  @Parameters(
      index = "0",
      paramLabel = "NODE",
      description = "Name of the node: master, n1, n2 and so on.")
  private String node;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "CMD",
      description = "The program and its arguments.")
  private List<String> command;

  @Spec
  void setSpec(CommandSpec spec) {
    // Arguments after the node belong to the program.
    spec.parser().stopAtPositional(true);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> argv = command.get(0).equals("--") ? command.subList(1, command.size()) : command;
    return choice.attach().command(node, argv).inheritIO().start().waitFor();
  }
}
