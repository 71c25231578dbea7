package dev.weir.cli.common;

import static java.util.stream.Collectors.joining;

import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;
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

  private static final String TRACE = "\tat ";

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
      complain(program, inOneLine(failure), err);
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

  /**
   * Returns the message of a failure, or its class if it has none. Removes the server's stack
   * trace, which messages of remote exceptions contain, even after the client has unwrapped them.
   * Weir's own messages may have several lines (file, place, remedy) and keep them.
   */
  static String inOneLine(Throwable failure) {
    @Nullable String message = failure.getMessage();
    if (message == null || message.isBlank()) {
      Throwable cause = failure.getCause();
      String kind = failure.getClass().getSimpleName();
      return cause == null ? kind + " (--verbose shows where)" : kind + ": " + inOneLine(cause);
    }
    if (failure instanceof FileSystemException file && file.getReason() == null) {
      return message + ": " + problem(file);
    }
    return failure instanceof RemoteException
        ? message.lines().findFirst().orElse("")
        : withoutTrace(message);
  }

  /** Their messages are no more than the names of the files. */
  private static String problem(FileSystemException file) {
    if (file instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (file instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (file instanceof NotDirectoryException) {
      return "is no directory";
    }
    return file instanceof FileAlreadyExistsException
        ? "is there already"
        : file.getClass().getSimpleName();
  }

  private static String withoutTrace(String message) {
    return message.contains(TRACE)
        ? message.lines().takeWhile(line -> !line.startsWith(TRACE)).collect(joining("\n"))
        : message;
  }
}
