package dev.weir.workflow.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parts of a workflow that do not fit together. Says where, what is wrong and what to do. */
public final class InvalidWorkflowException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The list of a task that the problem is in. */
  public enum Part {
    /** The task as such. */
    TASK,
    /** Its inputs. */
    INPUTS,
    /** Its outputs. */
    OUTPUTS,
    /** The tasks it comes after. */
    AFTER
  }

  /**
   * A place in a workflow.
   *
   * @param task index of the task in the workflow's list
   * @param part which of its lists
   * @param name the entry of that list, or the task's id for {@link Part#TASK}
   */
  public record Place(int task, Part part, String name) {}

  private final transient @Nullable Place place;
  private final String problem;
  private final String remedy;

  InvalidWorkflowException(@Nullable Place place, String problem, String remedy) {
    super(problem + "; " + remedy);
    this.place = place;
    this.problem = problem;
    this.remedy = remedy;
  }

  /**
   * Where it is.
   *
   * @return the place, or empty when the whole workflow is meant
   */
  public Optional<Place> place() {
    return Optional.ofNullable(place);
  }

  /**
   * What is wrong.
   *
   * @return one clause without a full stop
   */
  public String problem() {
    return problem;
  }

  /**
   * What to do about it.
   *
   * @return one clause without a full stop
   */
  public String remedy() {
    return remedy;
  }
}
