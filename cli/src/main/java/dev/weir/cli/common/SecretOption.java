package dev.weir.cli.common;

import dev.weir.workflow.staging.TaskSecrets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for variables whose values are stored nowhere. */
public final class SecretOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--secret",
      paramLabel = "NAME",
      description =
          "A variable of the commands whose value is stored nowhere; may be given several times."
              + " The value is that of the variable NAME here; in a session that is up, that of"
              + " its start ('weir session start --secret NAME').")
  private List<String> names = List.of();

  /**
   * The secrets, with the values that they have here.
   *
   * @param variables of this process
   * @throws ParameterException when a variable is not set, or has no name of a variable
   */
  public TaskSecrets values(Map<String, String> variables) {
    Map<String, String> values = new HashMap<>();
    for (String name : names) {
      String value = variables.get(name);
      if (value == null) {
        throw new ParameterException(
            spec.commandLine(),
            "Cannot take --secret " + name + ": the variable " + name + " is not set here");
      }
      values.put(name, value);
    }
    return Usage.checked(spec, () -> new TaskSecrets(values));
  }

  /** Variables that refer to secrets of a session, beside others. */
  public Map<String, String> beside(Map<String, String> environment) {
    Map<String, String> all = new LinkedHashMap<>(environment);
    for (String name : names) {
      if (all.putIfAbsent(name, TaskSecrets.reference(name)) != null) {
        throw new ParameterException(
            spec.commandLine(), name + " is given twice, by --env or --secret: leave one out");
      }
    }
    return all;
  }
}
