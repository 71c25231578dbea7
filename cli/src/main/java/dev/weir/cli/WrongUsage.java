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
    String line = wrong instanceof UnmatchedArgumentException unmatched ? line(unmatched) : "";
    if (!line.isEmpty()) {
      Failures.complain(Weir.NAME, line, err);
      err.flush();
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    Failures.complain(
        Weir.NAME, wrong.getMessage() + (listed ? "" : " (see '" + help(command) + "')"), err);
    if (listed) {
      command.usage(err, command.getColorScheme());
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Returns what to print of an unknown command or option; empty if there is nothing special. */
  private static String line(UnmatchedArgumentException unmatched) {
    CommandLine command = unmatched.getCommandLine();
    String name = unmatched.getUnmatched().get(0);
    if (unmatched.isUnknownOption()) {
      String option = name.replaceFirst("=.*", "");
      // All options of one letter resemble each other.
      String question =
          option.length() > 2
              ? Suggestion.question(option, command.getCommandSpec().optionsMap().keySet())
              : "";
      return question.isEmpty() ? "" : "Unknown option: '" + option + "'" + question;
    }
    if (command.getSubcommands().isEmpty()) {
      return "";
    }
    String question = Suggestion.question(name, command.getSubcommands().keySet());
    return command.getCommandSpec().qualifiedName()
        + " has no command '"
        + name
        + "'"
        + (question.isEmpty() ? ": see '" + help(command) + "'" : question);
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
