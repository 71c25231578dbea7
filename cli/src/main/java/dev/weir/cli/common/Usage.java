package dev.weir.cli.common;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Wrong usage that values of our own notice, which know nothing of command lines. */
public final class Usage {

  private Usage() {}

  /**
   * Makes something of arguments.
   *
   * @param <T> what is made
   * @param <E> what fails for other reasons
   */
  @FunctionalInterface
  public interface Maker<T, E extends Exception> {

    /**
     * Makes it.
     *
     * @return what the arguments mean
     * @throws IllegalArgumentException when they mean nothing; the message has the remedy
     */
    T make() throws E;
  }

  /**
   * What is made of a command's arguments.
   *
   * @param <T> what is made
   * @param <E> what fails for other reasons
   * @param command whose arguments they are
   * @param maker makes it
   * @return what was made
   * @throws ParameterException when the maker refuses the arguments, with its message
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
