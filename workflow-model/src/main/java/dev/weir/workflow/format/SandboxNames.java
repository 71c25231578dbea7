package dev.weir.workflow.format;

import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.WorkflowException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The names that the files of one task have in its sandbox, where a format lets a rule rename them:
 * each is below the sandbox, and no two files have the same. Not thread-safe.
 */
public final class SandboxNames {

  private final WorkflowSource source;
  private final Map<String, String> files = new HashMap<>();

  /**
   * None yet.
   *
   * @param source the file that is read
   */
  public SandboxNames(WorkflowSource source) {
    this.source = source;
  }

  /**
   * Takes an input or an output.
   *
   * @param file the file
   * @param name what the command calls it; as the file is named where nothing renames it
   * @return both names in their normal form, which is that of an id where the file can have one
   * @throws WorkflowException when the name leads out of the sandbox or is another file's
   */
  public Named add(FileMention file, String name) throws WorkflowException {
    String path = FileIds.simplify(name);
    boolean leaves = name.startsWith("/") || Arrays.asList(path.split("/", -1)).contains("..");
    if (!name.equals(file.name()) && (leaves || path.isEmpty())) {
      throw source.problem(
          file.place(),
          "the file '" + file.name() + "' gets the name '" + name + "', which is none in a sandbox",
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
   * A file and its name in the sandbox, both {@linkplain FileIds#simplify simplified}: the same
   * place is always the same name.
   *
   * @param file what the workflow calls it
   * @param name what the command calls it
   */
  public record Named(String file, String name) {}
}
