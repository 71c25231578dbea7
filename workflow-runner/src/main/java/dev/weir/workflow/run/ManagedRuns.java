package dev.weir.workflow.run;

import dev.weir.workflow.controller.GraphEvents;
import dev.weir.workflow.controller.OrderFactory;
import dev.weir.workflow.controller.RecordListener;
import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.journal.ScopedRecords;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.scheduler.DispatchRecord;
import dev.weir.workflow.scheduler.Effect;
import dev.weir.workflow.scheduler.RunFailure;
import dev.weir.workflow.scheduler.ScopedId;
import dev.weir.workflow.scheduler.WorkerInfo;
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
 * The runs of a session, and its single jobs: hands on what the dispatcher decides and records to
 * the run, or to the jobs, that it is about. Thread-safe.
 */
public final class ManagedRuns implements OrderFactory, RecordListener, GraphEvents {

  private static final Logger LOG = LoggerFactory.getLogger(ManagedRuns.class);

  private final OrderFactory jobOrders;
  private final RecordListener jobs;
  private final RunFiles jobKeeper;
  private final Map<String, ManagedRun> runs = new ConcurrentHashMap<>();

  /** Workers that are there, each with when it came; guarded by itself. */
  private final Map<WorkerInfo, Long> workers = new LinkedHashMap<>();

  /**
   * A session without runs.
   *
   * @param jobOrders turns jobs into orders
   * @param jobs keeps what happens to jobs
   * @param jobKeeper looks after the files of jobs
   */
  public ManagedRuns(OrderFactory jobOrders, RecordListener jobs, RunFiles jobKeeper) {
    this.jobOrders = jobOrders;
    this.jobs = jobs;
    this.jobKeeper = jobKeeper;
  }

  /** One more run, which hears of the workers that are there. */
  public void add(ManagedRun run) {
    synchronized (workers) {
      runs.put(run.graph(), run);
      workers.forEach(run::workerJoined);
    }
  }

  /** A run is over: nothing is handed on to it any more. */
  public void remove(ManagedRun run) {
    runs.remove(run.graph());
  }

  /** The runs that go on. */
  public Collection<ManagedRun> all() {
    return List.copyOf(runs.values());
  }

  /** A run that goes on. */
  public Optional<ManagedRun> find(String graph) {
    return Optional.ofNullable(runs.get(graph));
  }

  private ManagedRun run(String graph) {
    ManagedRun run = runs.get(graph);
    if (run == null) {
      throw new IllegalStateException("No run '" + graph + "' goes on in this session");
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
  public List<String> temporaryPaths(Effect.Discard cutOff) {
    return orders(cutOff.task()).temporaryPaths(cutOff);
  }

  /** A report of a run that is over changes nothing. */
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
   * The ids by which the dispatcher may know a file, in each run and as a job's.
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
  public RunFiles keeper(String graph) {
    return graph.isEmpty() ? jobKeeper : run(graph).keeper();
  }

  @Override
  public void answer(Effect.Answer answer) {
    find(answer.graph()).ifPresent(run -> run.answer(answer.request(), answer.answer()));
  }

  @Override
  public void ended(String graph, Optional<RunFailure> failure) {
    find(graph).ifPresent(run -> run.ended(failure));
  }

  /** Tells the users of all runs something. */
  public void note(String note) {
    LOG.info("Note: {}", note);
    runs.values().forEach(run -> run.note(note));
  }
}
