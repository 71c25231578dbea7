package dev.weir.workflow.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;

/**
 * Values that commands get as variables, and that are stored nowhere. They travel in the
 * credentials of containers. Plans, jobs, journals and records have a {@link #reference} in their
 * place, which a worker replaces when it starts a command. Immutable.
 */
public final class TaskSecrets {

  /** No secrets. */
  public static final TaskSecrets NONE = new TaskSecrets(Map.of());

  /** Names of variables that a shell takes. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final String PREFIX = "weir-secret:";

  private final Map<String, String> values;

  /**
   * Secrets.
   *
   * @throws IllegalArgumentException when a name is no name of a variable
   */
  public TaskSecrets(Map<String, String> values) {
    for (String name : values.keySet()) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException("'" + name + "' is no name of a variable");
      }
    }
    this.values = Map.copyOf(values);
  }

  /** Those that a container has got. */
  public static TaskSecrets of(Credentials credentials) {
    Map<String, String> values = new HashMap<>();
    for (Text key : credentials.getAllSecretKeys()) {
      if (key.toString().startsWith(PREFIX)) {
        values.put(
            key.toString().substring(PREFIX.length()),
            new String(credentials.getSecretKey(key), UTF_8));
      }
    }
    return new TaskSecrets(values);
  }

  public TaskSecrets and(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(values);
    all.putAll(more);
    return new TaskSecrets(all);
  }

  /**
   * Hands them to a container.
   *
   * @param credentials of the container; are changed
   */
  public void addTo(Credentials credentials) {
    values.forEach(
        (name, value) -> credentials.addSecretKey(new Text(PREFIX + name), value.getBytes(UTF_8)));
  }

  /**
   * What stands for a secret as the value of a variable.
   *
   * @return the reference, which holds nothing but the name
   */
  public static String reference(String name) {
    return PREFIX + name;
  }

  /** Variables of these names that refer to these secrets. */
  public Map<String, String> references() {
    Map<String, String> references = new TreeMap<>();
    values.keySet().forEach(name -> references.put(name, reference(name)));
    return references;
  }

  /** The secrets to which variables refer. */
  public static Set<String> named(Map<String, String> environment) {
    Set<String> names = new TreeSet<>();
    for (String value : environment.values()) {
      if (value.startsWith(PREFIX)) {
        names.add(value.substring(PREFIX.length()));
      }
    }
    return names;
  }

  /** Returns the variables that refer to secrets. */
  public static Set<String> variables(Map<String, String> environment) {
    Set<String> names = new TreeSet<>(environment.keySet());
    names.removeIf(name -> !environment.getOrDefault(name, "").startsWith(PREFIX));
    return names;
  }

  /** The secrets to which variables refer and that are not among these. */
  public Set<String> missing(Map<String, String> environment) {
    Set<String> missing = named(environment);
    missing.removeAll(values.keySet());
    return missing;
  }

  /**
   * Replaces references by secrets.
   *
   * @param environment values of variables by name
   * @return the variables of a command
   * @throws IllegalArgumentException when a secret is missing
   */
  public Map<String, String> resolve(Map<String, String> environment) {
    Set<String> missing = missing(environment);
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("This session has no secrets " + missing);
    }
    Map<String, String> resolved = new HashMap<>(environment);
    resolved.replaceAll(
        (variable, value) ->
            value.startsWith(PREFIX)
                ? values.getOrDefault(value.substring(PREFIX.length()), "")
                : value);
    return resolved;
  }

  @Override
  public String toString() {
    return "secrets " + new TreeSet<>(values.keySet());
  }
}
