package dev.weir.workflow.scheduler;

import java.util.List;

/**
 * What an event leads to.
 *
 * @param records for the journal
 * @param effects to be carried out in this order
 */
public record Step(List<DispatchRecord> records, List<Effect> effects) {

  /** Nothing follows. */
  public static final Step NOTHING = new Step(List.of(), List.of());

  /** Copies. */
  public Step {
    records = List.copyOf(records);
    effects = List.copyOf(effects);
  }
}
