package dev.weir.cli.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for environment variables of all commands. */
final class EnvironmentOption {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Variables that the worker sets for each command. */
  private static final Set<String> OF_THE_WORKER =
      Set.of("WEIR_TASK", "WEIR_ATTEMPT", "WEIR_WORKER", "PWD");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description =
          "Environment variable of all commands; may be repeated. The result of an earlier run is"
              + " reused only if its variables were the same.")
  private List<String> given = List.of();

  /**
   * Returns the variables in the order of the command line.
   *
   * @return values by name
   * @throws ParameterException when one is not of the form NAME=VALUE, is given twice, or is set by
   *     the worker
   */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String text : given) {
      int end = text.indexOf('=');
      if (end < 0) {
        throw refused(text, "it has no '='; write --env NAME=VALUE, or --env NAME= for none");
      }
      String name = text.substring(0, end);
      if (!NAME.matcher(name).matches()) {
        throw refused(
            text,
            (name.isEmpty() ? "it has no name" : "'" + name + "' is no name of a variable")
                + "; write NAME=VALUE with a name of letters, digits and '_' that begins with no"
                + " digit");
      }
      if (OF_THE_WORKER.contains(name)) {
        throw refused(text, "each command's worker sets " + name + "; take another name");
      }
      if (variables.putIfAbsent(name, text.substring(end + 1)) != null) {
        throw refused(text, name + " is given twice; leave one out");
      }
    }
    return variables;
  }

  private ParameterException refused(String text, String reason) {
    return new ParameterException(
        spec.commandLine(), "Cannot take --env '" + text + "': " + reason);
  }
}
