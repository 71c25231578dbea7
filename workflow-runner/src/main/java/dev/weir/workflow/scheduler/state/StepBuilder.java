package dev.weir.workflow.scheduler.state;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The event that a dispatcher handles: its time, and the records and effects so far. Not
 * thread-safe.
 */
public final class StepBuilder {

  private final List<DispatchRecord> records = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private long now;
  private boolean replaying;

  /** Begins an event; {@code time} is in milliseconds since the epoch. */
  public void begin(long time) {
    now = time;
  }

  /** The time of the event, in milliseconds since the epoch. */
  public long now() {
    return now;
  }

  /** Whether events are replayed from the journal, so that they are not recorded again. */
  public boolean isReplaying() {
    return replaying;
  }

  /** Replays an event from the journal. */
  public void replay(Runnable event) {
    replaying = true;
    try {
      event.run();
    } finally {
      replaying = false;
    }
  }

  public void record(DispatchRecord record) {
    if (!replaying) {
      records.add(record);
    }
  }

  public void effect(Effect effect) {
    effects.add(effect);
  }

  /** Returns the records and effects of the event, and clears them. */
  public Step end() {
    Step step = new Step(records, effects);
    records.clear();
    effects.clear();
    return step;
  }
}
