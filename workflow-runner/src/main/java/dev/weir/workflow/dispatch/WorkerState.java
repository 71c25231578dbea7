package dev.weir.workflow.dispatch;

import org.jspecify.annotations.Nullable;

/** A live worker and what it does. */
final class WorkerState {

  final WorkerInfo info;

  /** What it runs; null when it is free. */
  @Nullable TaskState running;

  WorkerState(WorkerInfo info) {
    this.info = info;
  }

  boolean free() {
    return running == null;
  }
}
