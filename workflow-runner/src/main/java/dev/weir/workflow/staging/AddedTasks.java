package dev.weir.workflow.staging;

import dev.weir.workflow.model.DataFile;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that a client adds to a run; a file in the run's directory. The ApplicationMaster deletes
 * the files of refused tasks, so the others are a part of the plan.
 *
 * @param workflow the tasks and the files that they name
 */
public record AddedTasks(Workflow workflow) {

  /** The prefix of the names of the files. */
  static final String PREFIX = "added-";

  private static final String SUFFIX = ".json";
  private static final Logger LOG = LoggerFactory.getLogger(AddedTasks.class);

  /**
   * Writes the file.
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
            PREFIX,
            clock.millis(),
            new SecureRandom().nextInt(),
            SUFFIX);
    directory.writeJson(name, this);
    return name;
  }

  /**
   * Reads a file.
   *
   * @param directory directory of the run
   * @param name name of the file
   * @return the tasks
   * @throws Staging.UnreadableException if the name or the content is none of such a file
   * @throws IOException when it does not exist or cannot be read
   */
  public static AddedTasks read(Staging directory, String name) throws IOException {
    if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX) || name.indexOf('/') >= 0) {
      throw new Staging.UnreadableException(name + " is no file with tasks", null);
    }
    return directory.readJson(name, AddedTasks.class);
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
      } catch (InvalidWorkflowException e) {
        // The ApplicationMaster ended before it could refuse them.
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
