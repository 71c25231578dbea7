package dev.weir.cli.common;

import java.io.PrintWriter;
import java.util.Objects;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * Tells people of failures: of each in one line, and with {@code --verbose} by its stack trace. A
 * mixin of a command with others below it, all of which take the option then.
 */
public final class Failures {
  /** What the mixin is called. */
  public static final String MIXIN = "failures";

  @Option(
      names = "--verbose",
      description = "Print the stack trace of an error.",
      scope = ScopeType.INHERIT)
  private boolean verbose;

  /** Without stack traces, until picocli finds the option. */
  public Failures() {}

  /**
   * How a command is to tell of failures that do not end it.
   *
   * @param command one that is below a command with this mixin
   * @return what that one has
   */
  public static Failures of(CommandSpec command) {
    CommandSpec mixin = Objects.requireNonNull(command.root().mixins().get(MIXIN), MIXIN);
    return (Failures) mixin.userObject();
  }

  /**
   * Whether stack traces were asked for.
   *
   * @return whether they are printed
   */
  public boolean areTraced() {
    return verbose;
  }

  /**
   * Tells what has ended a command: in a line, or by its stack trace in the place of the line.
   *
   * @param program what the person has called
   * @param failure what has ended it
   * @param err where people read of errors
   */
  public void tell(String program, Throwable failure, PrintWriter err) {
    if (verbose) {
      trace(failure, err);
    } else {
      complain(program, OneLine.of(failure), err);
    }
  }

  /**
   * Adds the stack trace of a failure, if it was asked for, to what has been said of it.
   *
   * @param failure what has been told in other words
   * @param err where people read of errors
   */
  public void trace(Throwable failure, PrintWriter err) {
    if (verbose) {
      failure.printStackTrace(err);
      err.flush();
    }
  }

  /**
   * Prints a line that begins with who says it.
   *
   * @param program what the person has called
   * @param line what is wrong
   * @param err where people read of errors
   */
  public static void complain(String program, String line, PrintWriter err) {
    err.println(Ansi.AUTO.string("@|bold,red " + program + ":|@ ") + line);
    err.flush();
  }
}
