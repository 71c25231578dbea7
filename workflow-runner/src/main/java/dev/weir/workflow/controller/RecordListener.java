package dev.weir.workflow.controller;

import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.WorkerInfo;

/** Receives the records of tasks, files and workers. Does not block. */
public interface RecordListener {

  /** A record of a task or a file was made. */
  void record(DispatchRecord record);

  void workerJoined(WorkerInfo worker, long now);

  /** A worker has ended; an unknown one is ignored. */
  void workerEnded(String worker, long now);
}
