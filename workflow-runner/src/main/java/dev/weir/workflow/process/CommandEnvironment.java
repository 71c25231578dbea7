package dev.weir.workflow.process;

import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.scheduler.ScopedId;
import dev.weir.workflow.staging.TaskSecrets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables of a command. It gets a few of the container's and none of the rest: there are
 * secrets and class paths among them that are no business of a task's.
 */
public final class CommandEnvironment {

  private static final List<String> KEPT =
      List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "JAVA_HOME");

  private CommandEnvironment() {}

  /** What is kept of the container's environment. */
  public static Map<String, String> base(Map<String, String> container) {
    Map<String, String> kept = new HashMap<>(container);
    kept.keySet().retainAll(KEPT);
    kept.putIfAbsent("PATH", "/usr/local/bin:/usr/bin:/bin");
    return Map.copyOf(kept);
  }

  /**
   * Returns the environment of an attempt's command.
   *
   * @param base what is kept of the container's environment
   * @param secrets values of the secrets to which the order's variables refer
   */
  public static Map<String, String> of(
      Map<String, String> base, TaskSecrets secrets, TaskOrder order, Sandbox sandbox) {
    Map<String, String> environment = new HashMap<>(base);
    environment.put("TMPDIR", sandbox.temp().toString());
    environment.put("PWD", sandbox.work().toString());
    environment.putAll(secrets.resolve(order.environment()));
    // Last, for a process is known by them: who runs in a task himself may hand on his own.
    environment.put("WEIR_RUN", ScopedId.graph(order.task()));
    environment.put("WEIR_TASK", ScopedId.id(order.task()));
    environment.put("WEIR_ATTEMPT", Integer.toString(order.attempt()));
    return Map.copyOf(environment);
  }
}
