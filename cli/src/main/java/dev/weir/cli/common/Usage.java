package dev.weir.cli.common;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Turns an {@link IllegalArgumentException} of a value into wrong usage of a command. */
public final class Usage {

  private Usage() {}

  /**
   * Creates a value from arguments.
   *
   * @param <T> the value
   * @param <E> the maker's other exception
   */
  @FunctionalInterface
  public interface Maker<T, E extends Exception> {

    /** Creates the value. */
    T make() throws E;
  }

  /**
   * Creates a value from a command's arguments.
   *
   * @param <T> what is made
   * @param <E> what fails for other reasons
   * @throws ParameterException if the maker refuses the arguments, with its message
   */
  public static <T, E extends Exception> T checked(CommandSpec command, Maker<T, E> maker)
      throws E {
    try {
      return maker.make();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
