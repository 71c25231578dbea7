package dev.weir.workflow.model;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a workflow are inconsistent. The exception says where, what is wrong and what to do.
 */
public final class InvalidWorkflowException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /** The part of a task that has the problem. */
  public enum Part {
    /** The task itself. */
    TASK,
    /** Its inputs. */
    INPUTS,
    /** Its outputs. */
    OUTPUTS,
    /** Its predecessors. */
    AFTER
  }

  /**
   * A place in a workflow.
   *
   * @param task index of the task in the workflow's list
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

  /** Returns the place of the problem; empty for the whole workflow. */
  public Optional<Place> place() {
    return Optional.ofNullable(place);
  }

  /** Returns the problem as a clause without a full stop. */
  public String problem() {
    return problem;
  }

  /** Returns the remedy as a clause without a full stop. */
  public String remedy() {
    return remedy;
  }
}
