package dev.weir.workflow.am;

import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.dispatch.WorkerInfo;

/** Keeps what happens, for whoever asks later. Does not block. */
interface Ledger {

  /** Something happened to a task or a file. */
  void record(DispatchRecord record);

  /** A worker is there. */
  void workerJoined(WorkerInfo worker, long now);

  /** A worker is gone; an unknown one is ignored. */
  void workerEnded(String worker, long now);
}
