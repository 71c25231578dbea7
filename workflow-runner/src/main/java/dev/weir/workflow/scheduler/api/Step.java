package dev.weir.workflow.scheduler.api;

import java.util.List;

/**
 * The result of an event.
 *
 * @param records for the journal
 * @param effects to carry out, in this order
 */
public record Step(List<DispatchRecord> records, List<Effect> effects) {

  /** No records and no effects. */
  public static final Step NOTHING = new Step(List.of(), List.of());

  public Step {
    records = List.copyOf(records);
    effects = List.copyOf(effects);
  }
}
