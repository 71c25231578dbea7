package dev.weir.workflow.delivery;

import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.workflow.provenance.AttemptEntry;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.TaskEntry;
import dev.weir.workflow.provenance.WorkerEntry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A sink that stores entries by key, like a database. Tests read it concurrently. */
final class FakeRunRecordSink implements RunRecordSink {
  final Map<String, RunHead> heads = Collections.synchronizedMap(new LinkedHashMap<>());
  final Map<String, TaskEntry> tasks = Collections.synchronizedMap(new LinkedHashMap<>());
  final Map<String, AttemptEntry> attempts = Collections.synchronizedMap(new LinkedHashMap<>());
  final Map<String, WorkerEntry> workers = Collections.synchronizedMap(new LinkedHashMap<>());
  final List<String> calls = new CopyOnWriteArrayList<>();

  /** The behaviour of the next calls. */
  volatile Behaviour behaviour = Behaviour.AVAILABLE;

  enum Behaviour {
    AVAILABLE,
    UNAVAILABLE,
    REFUSING,

    /** An older version that does not know all fields of parts. */
    OLDER,
    SILENT
  }

  @Override
  public synchronized void put(String run, RunHead head) throws IOException {
    respond("put " + head.state());
    heads.put(run, head);
  }

  @Override
  public synchronized void add(String run, RunPart part) throws IOException {
    respond("add");
    if (!heads.containsKey(run)) {
      throw new AssertionError("a part of " + run + ", whose head was not stored");
    }
    part.tasks().forEach(task -> tasks.put(task.id(), task));
    part.attempts().forEach(a -> attempts.put(a.task() + "/" + a.attempt(), a));
    part.workers().forEach(worker -> workers.put(worker.id(), worker));
  }

  private void respond(String call) throws IOException {
    calls.add(call);
    switch (behaviour) {
      case AVAILABLE -> {}
      case UNAVAILABLE ->
          throw HintsServiceException.answered(503, "Unavailable", "unavailable", null);
      case REFUSING -> throw HintsServiceException.answered(403, "No", "not yours", null);
      case OLDER -> {
        if (call.equals("add")) {
          throw HintsServiceException.answered(
              400, "Invalid", "'effort' is no field here; leave it out", "/attempts/0/effort");
        }
      }
      case SILENT -> {
        try {
          while (behaviour == Behaviour.SILENT) {
            wait();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted");
        }
      }
    }
  }

  @Override
  public void close() {}
}
