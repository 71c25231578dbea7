package dev.weir.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script for bash and zsh. */
@Command(
    name = "completion",
    description = "Prints the completion script for bash and zsh.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  source <(weir completion)"})
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(AutoComplete.bash("weir", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
