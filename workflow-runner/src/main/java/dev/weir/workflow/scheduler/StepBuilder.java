package dev.weir.workflow.scheduler;

import java.util.ArrayList;
import java.util.List;

/** An event that a dispatcher handles: its time, and what it has led to so far. Not thread-safe. */
final class StepBuilder {

  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private long now;
  private boolean replaying;

  /** An event has come; {@code time} is in milliseconds since the epoch. */
  void begin(long time) {
    now = time;
  }

  /** When the event came, in milliseconds since the epoch. */
  long now() {
    return now;
  }

  /** Whether what happens has happened before, so that it is in the journal. */
  boolean isReplaying() {
    return replaying;
  }

  /** Events happen anew, or have happened before. */
  void replaying(boolean whether) {
    replaying = whether;
  }

  void record(DispatchRecord record) {
    if (!replaying) {
      records.add(record);
    }
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** Hands over what the event led to. */
  Step end() {
    Step step = new Step(records, effects);
    records.clear();
    effects.clear();
    return step;
  }
}
