package dev.weir.cli;

import dev.weir.cli.common.Failures;
import dev.weir.hints.Suggestion;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports wrong usage in one line, instead of above a page of help. */
final class WrongUsage {

  private WrongUsage() {}

  /**
   * Prints a line that names the help page. Prints the help page itself for a command that only
   * groups subcommands.
   *
   * @param wrong the failure
   * @return the exit code
   */
  static int report(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    boolean listed = !command.getSubcommands().isEmpty();
    if (listed
        && wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.isUnknownOption()) {
      String name = unmatched.getUnmatched().get(0);
      String group = command.getCommandSpec().qualifiedName();
      String question = Suggestion.question(name, command.getSubcommands().keySet());
      Failures.complain(
          Weir.NAME,
          group
              + " has no command '"
              + name
              + "'"
              + (question.isEmpty() ? ": see '" + help(command) + "'" : question),
          err);
      err.flush();
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    Failures.complain(
        Weir.NAME, wrong.getMessage() + (listed ? "" : " (see '" + help(command) + "')"), err);
    if (!UnmatchedArgumentException.printSuggestions(wrong, err) && listed) {
      command.usage(err, command.getColorScheme());
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String help(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    CommandLine parent = command.getParent();
    if (parent != null && parent.getParent() == null) {
      return parent.getCommandName() + " help " + spec.name();
    }
    return spec.qualifiedName() + " --help";
  }
}
