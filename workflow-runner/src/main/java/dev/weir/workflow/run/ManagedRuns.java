package dev.weir.workflow.run;

import dev.weir.workflow.controller.GraphEvents;
import dev.weir.workflow.controller.OrderFactory;
import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.RunFailure;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of a session. Routes the dispatcher's effects and records to their run, or to the single
 * jobs. Thread-safe.
 */
public final class ManagedRuns implements OrderFactory, RecordListener, GraphEvents {

  private static final Logger LOG = LoggerFactory.getLogger(ManagedRuns.class);

  private final OrderFactory jobOrders;
  private final RecordListener jobs;
  private final RunFiles jobFiles;
  private final Map<String, ManagedRun> runs = new ConcurrentHashMap<>();

  /** The connected workers, each with its join time; guarded by itself. */
  private final Map<WorkerInfo, Long> workers = new LinkedHashMap<>();

  /** The notes for the users of all runs; guarded by {@link #workers}. */
  private final List<String> notes = new ArrayList<>();

  /**
   * Creates a session's runs, none yet.
   *
   * @param jobOrders turns jobs into orders
   * @param jobs receives the records of jobs
   * @param jobFiles checks and deletes the files of jobs
   */
  public ManagedRuns(OrderFactory jobOrders, RecordListener jobs, RunFiles jobFiles) {
    this.jobOrders = jobOrders;
    this.jobs = jobs;
    this.jobFiles = jobFiles;
  }

  /** Adds a run, and passes it the connected workers and the session's notes. */
  public void add(ManagedRun run) {
    synchronized (workers) {
      runs.put(run.graph(), run);
      workers.forEach(run::workerJoined);
      notes.forEach(run::note);
    }
  }

  /** Removes an ended run. */
  public void remove(ManagedRun run) {
    runs.remove(run.graph());
  }

  public Collection<ManagedRun> all() {
    return List.copyOf(runs.values());
  }

  /** Finds a live run. */
  public Optional<ManagedRun> find(String graph) {
    return Optional.ofNullable(runs.get(graph));
  }

  private ManagedRun run(String graph) {
    ManagedRun run = runs.get(graph);
    if (run == null) {
      throw new IllegalStateException("No run '" + graph + "' is running in this session");
    }
    return run;
  }

  private OrderFactory orders(String scoped) {
    String graph = ScopedId.graph(scoped);
    return graph.isEmpty() ? jobOrders : run(graph).orders();
  }

  @Override
  public TaskOrder order(Effect.Start start) {
    return orders(start.task()).order(start);
  }

  @Override
  public String path(String file) {
    return orders(file).path(file);
  }

  @Override
  public Optional<String> pathIfKnown(String file) {
    String graph = ScopedId.graph(file);
    return graph.isEmpty() || runs.containsKey(graph) ? Optional.of(path(file)) : Optional.empty();
  }

  @Override
  public String temporaryPath(String file) {
    return orders(file).temporaryPath(file);
  }

  @Override
  public List<String> temporaryPaths(Effect.Discard cutOff) {
    return orders(cutOff.task()).temporaryPaths(cutOff);
  }

  /** Leaves the report of an ended run unchanged. */
  @Override
  public TaskReport accept(TaskReport report) {
    String graph = ScopedId.graph(report.task());
    if (graph.isEmpty()) {
      return jobOrders.accept(report);
    }
    ManagedRun run = runs.get(graph);
    return run == null ? report : run.orders().accept(report);
  }

  /**
   * Returns the dispatcher's ids of a file: one for each run that uses it, and the id of a job's
   * file.
   *
   * @param path absolute path in HDFS
   */
  public List<String> ids(String path) {
    List<String> ids = new ArrayList<>();
    for (ManagedRun run : runs.values()) {
      run.orders().id(path).ifPresent(ids::add);
    }
    ids.add(path.substring(1));
    return ids;
  }

  @Override
  public void record(DispatchRecord record) {
    String graph = record.graph();
    if (graph.isEmpty()) {
      jobs.record(record);
    } else {
      find(graph).ifPresent(run -> run.record(ScopedRecords.unscoped(record)));
    }
  }

  @Override
  public void workerJoined(WorkerInfo worker, long now) {
    synchronized (workers) {
      workers.put(worker, now);
      jobs.workerJoined(worker, now);
      runs.values().forEach(run -> run.workerJoined(worker, now));
    }
  }

  @Override
  public void workerEnded(String worker, long now) {
    synchronized (workers) {
      workers.keySet().removeIf(known -> known.id().equals(worker));
      jobs.workerEnded(worker, now);
      runs.values().forEach(run -> run.workerEnded(worker, now));
    }
  }

  @Override
  public RunFiles files(String graph) {
    return graph.isEmpty() ? jobFiles : run(graph).files();
  }

  @Override
  public void answer(Effect.Answer answer) {
    find(answer.graph()).ifPresent(run -> run.answer(answer.request(), answer.answer()));
  }

  @Override
  public void expand(Effect.Expand expansion) {
    find(expansion.graph()).ifPresent(run -> run.expand(expansion.task()));
  }

  @Override
  public void ended(String graph, Optional<RunFailure> failure) {
    find(graph).ifPresent(run -> run.ended(failure));
  }

  /** Adds a note to the status of all runs, also of those that are added later. */
  @Override
  public void note(String note) {
    LOG.info("Note: {}", note);
    synchronized (workers) {
      notes.add(note);
      runs.values().forEach(run -> run.note(note));
    }
  }
}
