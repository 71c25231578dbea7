package dev.weir.workflow.format;

import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.WorkflowException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of a task's files in its sandbox, for formats in which a rule can rename files. Each
 * name is below the sandbox, and no two files share one. Not thread-safe.
 */
public final class SandboxNames {

  private final WorkflowSource source;
  private final Map<String, String> files = new HashMap<>();

  /**
   * Creates an empty set of names.
   *
   * @param source the file that is read
   */
  public SandboxNames(WorkflowSource source) {
    this.source = source;
  }

  /**
   * Adds an input or an output.
   *
   * @param name its name for the command; the file's own name if it is not renamed
   * @return both names, simplified
   * @throws WorkflowException if the name is outside of the sandbox or belongs to another file
   */
  public Named add(FileMention file, String name) throws WorkflowException {
    String path = FileIds.simplify(name);
    boolean leaves = name.startsWith("/") || Arrays.asList(path.split("/", -1)).contains("..");
    if (!name.equals(file.name()) && (leaves || path.isEmpty())) {
      throw source.problem(
          file.place(),
          "the file '"
              + file.name()
              + "' gets the name '"
              + name
              + "', which is outside of the sandbox",
          "write a relative path without '..'");
    }
    String id = FileIds.simplify(file.name());
    String other = files.putIfAbsent(path, id);
    if (other != null && !other.equals(id)) {
      throw source.problem(
          file.place(),
          "the files '" + other + "' and '" + id + "' have one name in the sandbox, '" + path + "'",
          "give one of them another name there");
    }
    return new Named(id, path);
  }

  /**
   * A file and its name in the sandbox, both {@linkplain FileIds#simplify simplified}, so that each
   * place has one name.
   *
   * @param file its name in the workflow
   * @param name its name for the command
   */
  public record Named(String file, String name) {}
}
