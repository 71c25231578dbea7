package dev.weir.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--env-file",
      paramLabel = "FILE",
      description =
          "File with a NAME=VALUE on each line, as --env; empty lines and those that begin with #"
              + " are skipped. A variable of --env takes precedence.")
  private @Nullable Path file;

  /**
   * Returns the variables: those of the command line in their order, and then those of the file.
   *
   * @return values by name
   * @throws ParameterException when one is not of the form NAME=VALUE, is given twice, or is set by
   *     the worker
   */
  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String text : given) {
      add(variables, text, "--env '" + text + "'");
    }
    fileVariables().forEach(variables::putIfAbsent);
    return variables;
  }

  private Map<String, String> fileVariables() {
    Map<String, String> variables = new LinkedHashMap<>();
    List<String> lines = lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#")) {
        // A line may hold a secret.
        add(variables, line, "--env-file " + file + ", line " + (i + 1));
      }
    }
    return variables;
  }

  private List<String> lines() {
    if (file == null) {
      return List.of();
    }
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "Cannot read --env-file " + file + ": " + e, e);
    }
  }

  /**
   * Adds a variable.
   *
   * @param place where it is given, for messages
   */
  private void add(Map<String, String> variables, String text, String place) {
    int end = text.indexOf('=');
    if (end < 0) {
      throw refused(place, "it has no '='; write NAME=VALUE, or NAME= for none");
    }
    String name = text.substring(0, end);
    if (!NAME.matcher(name).matches()) {
      throw refused(
          place,
          (name.isEmpty() ? "it has no name" : "the name before '=' is no name of a variable")
              + "; write NAME=VALUE with a name of letters, digits and '_' that begins with no"
              + " digit");
    }
    if (OF_THE_WORKER.contains(name)) {
      throw refused(place, "each command's worker sets " + name + "; take another name");
    }
    if (variables.putIfAbsent(name, text.substring(end + 1)) != null) {
      throw refused(place, name + " is given twice; leave one out");
    }
  }

  private ParameterException refused(String place, String reason) {
    return new ParameterException(spec.commandLine(), "Cannot take " + place + ": " + reason);
  }
}
