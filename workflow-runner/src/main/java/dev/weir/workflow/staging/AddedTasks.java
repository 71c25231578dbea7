package dev.weir.workflow.staging;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Expansion;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tasks that a client adds to a run; a file in the run's directory. The ApplicationMaster renames
 * the file when its journal has the tasks, and deletes it when it refuses them. So the renamed
 * files are a part of the plan, and those of undecided requests are not. Requests and the journal
 * name the file as the client did.
 *
 * <p>The tasks of a sub-workflow are added in the same way, by the ApplicationMaster.
 *
 * @param parent id of the task that stands for the sub-workflow; empty if the tasks are not those
 *     of one
 */
public record AddedTasks(
    Workflow workflow, @JsonInclude(JsonInclude.Include.NON_EMPTY) String parent) {

  /** The prefix of the names of the files that the ApplicationMaster has accepted. */
  static final String PREFIX = "added-";

  /** The prefix of the names of requests. */
  private static final String REQUESTED = "adding-";

  private static final String SUFFIX = ".json";

  /** The parent is missing in files of earlier versions. */
  public AddedTasks {
    parent = parent == null ? "" : parent;
  }

  /** Tasks that a client adds. */
  public AddedTasks(Workflow workflow) {
    this(workflow, "");
  }

  /**
   * Writes the file for a request.
   *
   * @param clock orders the files
   * @return the name of the file
   */
  public String write(Staging directory, Clock clock) throws IOException {
    String name =
        String.format(
            Locale.ROOT,
            "%s%013d-%08x%s",
            REQUESTED,
            clock.millis(),
            new SecureRandom().nextInt(),
            SUFFIX);
    directory.writeJson(name, this);
    return name;
  }

  /**
   * Reads the tasks of a request, which may be accepted already.
   *
   * @param requested name of the file, as {@link #write} has returned it
   * @throws Staging.UnreadableException if the name or the content is none of such a file
   */
  public static AddedTasks read(Staging directory, String requested) throws IOException {
    String accepted = accepted(requested);
    return directory.readJson(
        directory.number(accepted) == 0 ? requested : accepted, AddedTasks.class);
  }

  /**
   * Makes the tasks of a request a part of the plan. Idempotent.
   *
   * @param requested name of the file, as {@link #write} has returned it
   * @return false if they were a part of it
   */
  public static boolean accept(Staging directory, String requested) throws IOException {
    String accepted = accepted(requested);
    if (directory.number(accepted) != 0) {
      return false;
    }
    directory.rename(requested, accepted);
    return true;
  }

  /**
   * Deletes the tasks of a refused request. A file that is none of such a request stays.
   *
   * @param requested name of the file, as {@link #write} has returned it
   */
  public static void delete(Staging directory, String requested) throws IOException {
    if (isRequested(requested)) {
      directory.delete(requested);
    }
  }

  private static boolean isRequested(String name) {
    return name.startsWith(REQUESTED) && name.endsWith(SUFFIX) && name.indexOf('/') < 0;
  }

  private static String accepted(String requested) throws Staging.UnreadableException {
    if (!isRequested(requested)) {
      throw new Staging.UnreadableException(requested + " is no file with tasks", null);
    }
    return PREFIX + requested.substring(REQUESTED.length());
  }

  /**
   * Returns a plan with these tasks.
   *
   * @return the larger plan
   * @throws InvalidWorkflowException if a task has the id of another, or writes a file of another
   */
  public RunPlan addTo(RunPlan plan) {
    if (!parent.isEmpty()) {
      return plan.with(Expansion.beside(plan.workflow(), parent, workflow));
    }
    List<Task> tasks = new ArrayList<>(plan.workflow().tasks());
    tasks.addAll(workflow.tasks());
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    files.putAll(plan.workflow().files());
    return plan.with(new Workflow(plan.workflow().name(), tasks, files));
  }

  /** Reads a run's plan with all tasks that were accepted. */
  public static RunPlan readPlan(Staging directory) throws IOException {
    RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
    for (String name : names(directory)) {
      plan = directory.readJson(name, AddedTasks.class).addTo(plan);
    }
    return plan;
  }

  /** Returns the names of the files, the oldest first. */
  static List<String> names(Staging directory) throws IOException {
    List<String> names = directory.names(PREFIX);
    Collections.sort(names);
    return names;
  }
}
