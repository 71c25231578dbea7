package dev.weir.cli;

import dev.weir.cli.common.Failures;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, so that it is not lost above a page of help. */
final class WrongUsage {

  private WrongUsage() {}

  /**
   * Tells it in a line that names the page of help. Of a command that only has others below it the
   * page itself is shown, for it lists them.
   *
   * @param wrong what is wrong
   * @return the exit code
   */
  static int report(ParameterException wrong) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    boolean listed = !command.getSubcommands().isEmpty();
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
