package dev.weir.workflow.process;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.staging.TaskSecrets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the environment variables of a command. It inherits only a few variables of the container,
 * because the others include secrets and class paths.
 */
public final class CommandEnvironment {

  private static final List<String> INHERITED =
      List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "JAVA_HOME");

  private CommandEnvironment() {}

  /** Returns the inherited part of the container's environment. */
  public static Map<String, String> base(Map<String, String> container) {
    Map<String, String> inherited = new HashMap<>(container);
    inherited.keySet().retainAll(INHERITED);
    inherited.putIfAbsent("PATH", "/usr/local/bin:/usr/bin:/bin");
    return Map.copyOf(inherited);
  }

  /**
   * Returns the environment of an attempt's command.
   *
   * @param base what is kept of the container's environment
   * @param secrets values of the secrets to which the order's variables refer
   * @throws IllegalArgumentException when a secret is missing, or is the value of a variable that
   *     bash cannot set
   */
  public static Map<String, String> of(
      Map<String, String> base, TaskSecrets secrets, TaskOrder order, Sandbox sandbox) {
    Map<String, String> environment = new HashMap<>(base);
    environment.put("TMPDIR", sandbox.temp().toString());
    environment.put("PWD", sandbox.work().toString());
    for (String name : TaskSecrets.variables(order.environment())) {
      if (CommandScript.bashCannotSet(name)) {
        // The shell would start env with the value on its command line, which is public.
        throw new IllegalArgumentException(
            "bash cannot set the variable " + name + ", so it cannot hold a secret: rename it");
      }
    }
    environment.putAll(secrets.resolve(order.environment()));
    // Set last, because the variables identify the command's processes; a command that itself
    // runs Weir may pass its own on.
    environment.putAll(marks(order));
    return Map.copyOf(environment);
  }

  /** Returns the variables that name the attempt. */
  public static Map<String, String> marks(TaskOrder order) {
    return Map.of(
        "WEIR_RUN",
        ScopedId.graph(order.task()),
        "WEIR_TASK",
        ScopedId.id(order.task()),
        "WEIR_ATTEMPT",
        Integer.toString(order.attempt()));
  }
}
