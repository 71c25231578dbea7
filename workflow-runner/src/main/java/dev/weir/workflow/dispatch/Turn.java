package dev.weir.workflow.dispatch;

import java.util.ArrayList;
import java.util.List;

/** An event that a dispatcher handles: its time, and what it has led to so far. Not thread-safe. */
final class Turn {

  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private long now;

  /** An event has come; {@code time} is in milliseconds since the epoch. */
  void begin(long time) {
    now = time;
  }

  /** When the event came, in milliseconds since the epoch. */
  long now() {
    return now;
  }

  void record(DispatchRecord record) {
    records.add(record);
  }

  void effect(Effect effect) {
    effects.add(effect);
  }

  /** After an event that was recorded before: what came of it then was recorded then. */
  void forgetRecords() {
    records.clear();
  }

  /** Hands over what the event led to. */
  Step end() {
    Step step = new Step(records, effects);
    records.clear();
    effects.clear();
    return step;
  }
}
