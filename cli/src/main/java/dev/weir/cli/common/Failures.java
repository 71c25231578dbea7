package dev.weir.cli.common;

import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Prints failures as one line, or as a stack trace with {@code --verbose}. A mixin for the root
 * command; its subcommands inherit the option.
 */
public final class Failures {
  public static final String MIXIN = "failures";

  @Option(
      names = "--verbose",
      description = "Print the stack traces of errors.",
      scope = ScopeType.INHERIT)
  private boolean verbose;

  /**
   * Returns the mixin of a command's root, for failures that do not end the command.
   *
   * @param command a subcommand of a command with this mixin
   */
  public static Failures of(CommandSpec command) {
    CommandSpec mixin = Objects.requireNonNull(command.root().mixins().get(MIXIN), MIXIN);
    return (Failures) mixin.userObject();
  }

  /** Returns whether stack traces are printed. */
  public boolean areTraced() {
    return verbose;
  }

  /**
   * Prints the failure that ended a command, as a line or as a stack trace.
   *
   * @param err the error stream
   */
  public void tell(String program, Throwable failure, PrintWriter err) {
    if (verbose) {
      trace(failure, err);
    } else {
      complain(program, OneLine.of(failure), err);
    }
  }

  /**
   * Prints the stack trace of a failure that was already reported, if {@code --verbose} was given.
   */
  public void trace(Throwable failure, PrintWriter err) {
    if (verbose) {
      failure.printStackTrace(err);
      err.flush();
    }
  }

  /**
   * Prints a line that begins with the name of the program.
   *
   * @param line the message
   * @param err the error stream
   */
  public static void complain(String program, String line, PrintWriter err) {
    err.println(Ansi.AUTO.string("@|bold,red " + program + ":|@ ") + line);
    err.flush();
  }
}
