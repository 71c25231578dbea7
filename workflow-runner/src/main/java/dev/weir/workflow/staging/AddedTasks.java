package dev.weir.workflow.staging;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.InvalidWorkflowException;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that a client adds to a run; a file in the run's directory. The ApplicationMaster renames
 * the file when it takes the tasks, and deletes it when it refuses them. So the renamed files are a
 * part of the plan, and those of unanswered requests are not.
 *
 * @param workflow the tasks and the files that they name
 */
public record AddedTasks(Workflow workflow) {

  /** The prefix of the names of the files that the ApplicationMaster has taken. */
  static final String PREFIX = "added-";

  /** The prefix of the names that clients give. */
  private static final String REQUESTED = "adding-";

  private static final String SUFFIX = ".json";
  private static final Logger LOG = LoggerFactory.getLogger(AddedTasks.class);

  /**
   * Writes the file for a request.
   *
   * @param directory directory of the run
   * @param clock orders the files
   * @return the name of the file
   * @throws IOException when HDFS refuses
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
   * Takes the file of a request into the plan, unless an earlier ApplicationMaster has done so.
   *
   * @param directory directory of the run
   * @param requested name of the file, as {@link #write} has returned it
   * @return the new name of the file
   * @throws Staging.UnreadableException if the name or the content is none of such a file; it stays
   *     outside the plan
   * @throws IOException when it does not exist or cannot be read
   */
  public static String take(Staging directory, String requested) throws IOException {
    requirePrefix(REQUESTED, requested);
    String taken = PREFIX + requested.substring(REQUESTED.length());
    if (directory.number(taken) == 0) {
      AddedTasks unused = directory.readJson(requested, AddedTasks.class);
      directory.rename(requested, taken);
    }
    return taken;
  }

  /**
   * Reads a file that was taken into the plan.
   *
   * @param directory directory of the run
   * @param name name of the file
   * @return the tasks
   * @throws Staging.UnreadableException if the name or the content is none of such a file
   * @throws IOException when it does not exist or cannot be read
   */
  public static AddedTasks read(Staging directory, String name) throws IOException {
    requirePrefix(PREFIX, name);
    return directory.readJson(name, AddedTasks.class);
  }

  private static void requirePrefix(String prefix, String name) throws Staging.UnreadableException {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX) || name.indexOf('/') >= 0) {
      throw new Staging.UnreadableException(name + " is no file with tasks", null);
    }
  }

  /**
   * Returns a plan with these tasks.
   *
   * @param plan the plan
   * @return the larger plan
   * @throws InvalidWorkflowException if a task has the id of another, or writes a file of another
   */
  public RunPlan addTo(RunPlan plan) {
    List<Task> tasks = new ArrayList<>(plan.workflow().tasks());
    tasks.addAll(workflow.tasks());
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    files.putAll(plan.workflow().files());
    return plan.with(new Workflow(plan.workflow().name(), tasks, files));
  }

  /**
   * Reads a run's plan with all tasks that were added.
   *
   * @param directory directory of the run
   * @return the plan
   * @throws IOException when it cannot be read
   */
  public static RunPlan readPlan(Staging directory) throws IOException {
    RunPlan plan = directory.readJson(Staging.PLAN, RunPlan.class);
    for (String name : names(directory)) {
      try {
        plan = read(directory, name).addTo(plan);
      } catch (FileNotFoundException | InvalidWorkflowException e) {
        // The ApplicationMaster has refused them, or it ended before it could.
        LOG.debug("{} was never added", name, e);
      }
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
