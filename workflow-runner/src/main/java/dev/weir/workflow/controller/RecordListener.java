package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.WorkerInfo;

/** Keeps what happens, for whoever asks later. Does not block. */
public interface RecordListener {

  /** Something happened to a task or a file. */
  void record(DispatchRecord record);

  /** A worker is there. */
  void workerJoined(WorkerInfo worker, long now);

  /** A worker is gone; an unknown one is ignored. */
  void workerEnded(String worker, long now);
}
