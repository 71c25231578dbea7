package dev.weir.workflow.scheduler;

import static dev.weir.workflow.scheduler.Additions.addition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.infer.IntermediateFiles;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowGraph;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphAdded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphEnded;
import dev.weir.workflow.scheduler.api.DispatchRecord.GraphGrown;
import dev.weir.workflow.scheduler.api.Effect;
import dev.weir.workflow.scheduler.api.Graph;
import dev.weir.workflow.scheduler.api.JobAddition;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.Progress;
import dev.weir.workflow.scheduler.api.ScopedId;
import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.Step;
import dev.weir.workflow.scheduler.api.TaskProfiles;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.scheduler.api.WriteBackEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session on a simulated cluster, determined by a seed. Graphs and jobs are added while others
 * run. Workers join, leave and hang; nodes and files are lost; tasks fail; owners pause, cancel,
 * prioritise and retry. Masters are replaced, with or without the workers. The simulation checks
 * the dispatcher's invariants after each effect, and at the end that every graph and job has ended.
 */
final class SessionSimulation {

  private static final int MOST_EVENTS = 60_000;
  private static final int GRAPHS = 4;
  private static final int JOBS = 12;
  private static final int ADDITIONS = 6;
  private static final int MAX_FAULTS = 16;
  private static final long TICK = 500;
  private static final long ASKS_AFTER = 2_000;

  private final Random random;
  private final AssignmentPolicy policy;
  private final WorkerSize size;
  private final int nodes;
  private final boolean stragglers;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<DispatchRecord> journal = new ArrayList<>();
  private final Map<String, Graph> graphs = new HashMap<>();
  private final Map<String, WorkflowGraph> workflows = new HashMap<>();

  /** Tasks that owners have asked to add, by request. */
  private final Map<String, Graph> additions = new LinkedHashMap<>();

  private final Map<String, Task> jobs = new LinkedHashMap<>();
  private final Map<String, GraphEnded.Outcome> ends = new LinkedHashMap<>();
  private final Set<String> forgotten = new HashSet<>();
  private final TreeMap<String, Member> workers = new TreeMap<>();
  private final Map<String, Set<String>> disk = new HashMap<>();
  private final Set<String> inputs = new HashSet<>();

  /** For files that are in the store of a node, when it got them. */
  private final Map<String, Long> stored = new HashMap<>();

  /** The copies in HDFS of files in the stores of nodes. */
  private final Map<String, Copy> copies = new HashMap<>();

  /** The ids of files that were such copies. */
  private final Map<String, Long> fileIds = new HashMap<>();

  private Dispatcher dispatcher;
  private long now;
  private long order;
  private int numbers;
  private long versions;
  private int submitted;
  private int faults;
  private int steeringRequests;
  private int answers;

  /** How many records certainly survive a crash. */
  private int written;

  /** Events that effects of an earlier master have scheduled are void. */
  private int master;

  private record Event(long time, long number, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(number, other.number);
    }
  }

  private record Copy(long fileId, Set<String> nodes) {}

  /** A worker with its attempts. */
  private static final class Member {
    final WorkerInfo info;
    final Map<String, Effect.Start> attempts = new LinkedHashMap<>();
    final Map<String, Long> since = new HashMap<>();
    final Set<String> begun = new HashSet<>();
    final Set<String> stopping = new HashSet<>();
    final Set<String> asking = new HashSet<>();
    final Set<String> permitted = new HashSet<>();
    boolean hangs;

    Member(WorkerInfo info) {
      this.info = info;
    }

    Effect.@Nullable Start attempt(String task, int attempt) {
      Effect.Start start = attempts.get(task);
      return start != null && start.attempt() == attempt ? start : null;
    }

    void ended(String task) {
      attempts.remove(task);
      Stream.of(begun, stopping, asking, permitted).forEach(set -> set.remove(task));
    }
  }

  SessionSimulation(long seed, AssignmentPolicy policy) {
    this.random = new Random(seed);
    this.policy = policy;
    this.size = new WorkerSize(1 + random.nextInt(3), 100, random.nextInt(4));
    this.nodes = 1 + random.nextInt(4);
    this.stragglers = random.nextInt(3) == 0;
    this.dispatcher = newDispatcher();
  }

  private Dispatcher newDispatcher() {
    Dispatcher made = Dispatchers.of(policy, new Limits(3, 1_000), size);
    return made;
  }

  void run() {
    apply(dispatcher.start(now));
    for (int node = 0; node < nodes; node++) {
      joinLater("n" + node);
    }
    for (int i = 0; i < GRAPHS; i++) {
      later(random.nextInt(200), this::submitGraph);
    }
    for (int i = 0; i < JOBS; i++) {
      later(random.nextInt(300), this::submitJob);
    }
    for (int i = 0; i < ADDITIONS; i++) {
      later(random.nextInt(600), this::addTasks);
    }
    scheduleFault();
    tickLater();
    for (int i = 0; i < MOST_EVENTS && !isOver(); i++) {
      Event event = events.remove();
      now = event.time();
      event.what().run();
    }
    assertThat(open()).as("all graphs and jobs have ended; %s", stuck()).isEmpty();
    assertThat(answers).isGreaterThanOrEqualTo(steeringRequests);
    checkReplay();
    forgetAll();
  }

  private boolean isOver() {
    return submitted == GRAPHS + JOBS && faults == MAX_FAULTS && open().isEmpty();
  }

  /** Graphs that were not forgotten, and jobs that have not ended. */
  private List<String> open() {
    List<String> open = new ArrayList<>();
    graphs.keySet().stream().filter(graph -> !ends.containsKey(graph)).forEach(open::add);
    Progress progress = dispatcher.progress("");
    int dropped = dispatcher.details("").dropped();
    if (progress.done() + dropped < progress.tasks()) {
      open.add("jobs");
    }
    return open;
  }

  private String stuck() {
    StringBuilder text = new StringBuilder();
    for (String graph : open()) {
      String id = graph.equals("jobs") ? "" : graph;
      text.append(graph).append(' ').append(dispatcher.progress(id)).append('\n');
      text.append(dispatcher.details(id).types()).append('\n');
    }
    workers.values().forEach(worker -> text.append(worker.info).append(worker.attempts.keySet()));
    return text.toString();
  }

  private void later(long delay, Runnable what) {
    events.add(new Event(now + delay, order++, what));
  }

  /** Schedules an event that is lost if the master is replaced meanwhile. */
  private void laterHere(long delay, Runnable what) {
    int here = master;
    later(
        delay,
        () -> {
          if (here == master) {
            what.run();
          }
        });
  }

  private void tickLater() {
    later(
        TICK,
        () -> {
          apply(dispatcher.tick(now));
          tickLater();
        });
  }

  private void joinLater(String node) {
    later(1 + random.nextInt(20), () -> join(new Member(new WorkerInfo(name(), node, "/r"))));
  }

  private String name() {
    return "w" + numbers++;
  }

  private void join(Member worker) {
    workers.put(worker.info.id(), worker);
    apply(dispatcher.workerJoined(worker.info, now));
  }

  private List<ResourceNeeds> needs() {
    return List.of(
        ResourceNeeds.ONE_CORE,
        new ResourceNeeds(1, 60),
        new ResourceNeeds(1 + random.nextInt(size.cores()), 10));
  }

  private void submitGraph() {
    submitted++;
    String id = "g" + submitted;
    var workflow = Graphs.random(random, needs());
    WorkflowGraph shape = workflow.graph();
    Limits limits = new Limits(random.nextBoolean() ? 3 : 100, 1_000, random.nextBoolean());
    Set<String> temporaries =
        random.nextBoolean()
            ? shape.intermediates().stream().map(DataFile::id).collect(Collectors.toSet())
            : Set.of();
    Graph graph =
        new Graph(
            id,
            workflow,
            limits,
            random.nextInt(3) - 1,
            stragglers,
            TaskProfiles.NONE,
            temporaries,
            Set.of(),
            List.of(),
            random.nextBoolean() ? IntermediateFiles.readWhole(workflow) : Set.of());
    graphs.put(id, graph);
    workflows.put(id, shape);
    for (DataFile input : shape.workflowInputs()) {
      String file = ScopedId.of(id, input.id());
      inputs.add(file);
      disk.put(file, new HashSet<>(List.of("n0")));
    }
    apply(dispatcher.addGraph(graph, List.of(), now));
    written = journal.size();
  }

  /** Adds tasks to a graph that goes on. They read its files, each other's and another one. */
  private void addTasks() {
    List<String> live = graphs.keySet().stream().filter(id -> !ends.containsKey(id)).toList();
    if (live.isEmpty()) {
      return;
    }
    String id = live.get(random.nextInt(live.size()));
    String request = "add" + additions.size();
    WorkflowGraph shape = shape(id);
    List<String> known = new ArrayList<>(shape.workflow().files().keySet());
    known.add(request + ".in");
    List<Task> tasks = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String task = request + "." + i;
      List<String> reads =
          Stream.generate(() -> known.get(random.nextInt(known.size())))
              .limit(1 + random.nextInt(3))
              .distinct()
              .toList();
      tasks.add(Graphs.task(task, reads, List.of(task + ".out")));
      known.add(task + ".out");
    }
    String input = ScopedId.of(id, request + ".in");
    inputs.add(input);
    disk.put(input, new HashSet<>(List.of("n0")));
    additions.put(
        request,
        new Graph(
            id,
            Graphs.of(tasks),
            Limits.DEFAULT,
            0,
            false,
            TaskProfiles.NONE,
            Set.of(),
            Set.of(),
            List.of(new StoredFile(request + ".in", 1_000, Map.of("n0", 1_000L))),
            Set.of()));
    grow(request);
    if (random.nextBoolean()) {
      written = journal.size();
    }
  }

  /** Delivers a request, perhaps not for the first time. */
  private void grow(String request) {
    Graph added = Objects.requireNonNull(additions.get(request));
    apply(
        dispatcher.grow(
            added, new GraphGrown(added.id(), request, request + ".json", now), List.of()));
  }

  private static WorkflowGraph grown(WorkflowGraph shape, Graph added) {
    List<Task> tasks = new ArrayList<>(shape.workflow().tasks());
    tasks.addAll(added.workflow().tasks());
    return Graphs.of(tasks).graph();
  }

  /** The tasks of a graph as far as the journal has them. */
  private void reshape() {
    graphs.forEach((id, graph) -> workflows.put(id, graph.workflow().graph()));
    for (DispatchRecord record : journal) {
      if (record instanceof GraphGrown grown) {
        adopt(grown);
      }
    }
  }

  private void adopt(GraphGrown record) {
    Graph added = Objects.requireNonNull(additions.get(record.request()));
    workflows.put(added.id(), grown(shape(added.id()), added));
  }

  private void submitJob() {
    submitted++;
    String id = "job" + submitted;
    List<String> made =
        jobs.values().stream()
            .flatMap(job -> job.outputs().stream())
            .filter(dispatcher::isMadeHere)
            .toList();
    List<String> reads =
        made.isEmpty() ? List.of() : List.of(made.get(random.nextInt(made.size())));
    List<String> after =
        jobs.isEmpty() || random.nextInt(3) > 0
            ? List.of()
            : List.of(List.copyOf(jobs.keySet()).get(random.nextInt(jobs.size())));
    ResourceNeeds needs = needs().get(random.nextInt(3));
    Task task =
        new Task(
            id,
            "job",
            List.of("true"),
            reads,
            List.of("out/" + id),
            after,
            1,
            new TaskNeeds(needs.cores(), needs.memoryBytes(), 0));
    JobAddition addition = addition(task, Map.of(), 1 + random.nextInt(3), random.nextInt(2));
    if (dispatcher.refusal(addition).isEmpty()) {
      jobs.put(id, task);
      apply(dispatcher.add(addition, now));
      written = journal.size();
    }
  }

  private Graph graph(String id) {
    return Objects.requireNonNull(graphs.get(id), id);
  }

  private WorkflowGraph shape(String id) {
    return Objects.requireNonNull(workflows.get(id), id);
  }

  private Task task(String scoped) {
    Task job = jobs.get(scoped);
    return job != null ? job : shape(ScopedId.graph(scoped)).task(ScopedId.id(scoped));
  }

  private List<String> inputsOf(String scoped) {
    return task(scoped).inputs().stream()
        .map(file -> ScopedId.of(ScopedId.graph(scoped), file))
        .toList();
  }

  private void apply(Step step) {
    journal.addAll(step.records());
    for (DispatchRecord record : step.records()) {
      if (record instanceof GraphGrown grown) {
        adopt(grown);
      }
    }
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Start start) {
        take(start);
      } else if (effect instanceof Effect.Recall recall) {
        laterHere(random.nextInt(5), () -> giveBack(recall));
      } else if (effect instanceof Effect.Stop stop) {
        Member worker = workers.get(stop.worker());
        if (worker != null && worker.attempt(stop.task(), stop.attempt()) != null) {
          worker.stopping.add(stop.task());
        }
        laterHere(random.nextInt(5), () -> stop(stop));
      } else if (effect instanceof Effect.Permit permit) {
        laterHere(random.nextInt(5), () -> permitted(permit));
      } else if (effect instanceof Effect.Check check) {
        laterHere(random.nextInt(5), () -> check(check));
      } else if (effect instanceof Effect.DeleteFiles unneeded) {
        int records = journal.size();
        laterHere(random.nextInt(40), () -> delete(unneeded.files(), records));
      } else if (effect instanceof Effect.WriteBack order) {
        laterHere(random.nextInt(60), () -> writeBack(order));
      } else if (effect instanceof Effect.DropStored drop) {
        drop(drop);
      } else if (effect instanceof Effect.Succeeded succeeded) {
        succeeded(succeeded.graph());
      } else if (effect instanceof Effect.Failed failed) {
        boolean cancelled = failed.failure().cancelled();
        end(failed.graph(), cancelled ? GraphEnded.Outcome.CANCELLED : GraphEnded.Outcome.FAILED);
      } else if (effect instanceof Effect.Answer) {
        answers++;
      }
    }
  }

  private void end(String graph, GraphEnded.Outcome outcome) {
    assertThat(ends.put(graph, outcome)).as("%s has ended before", graph).isNull();
    written = journal.size();
    assertThat(journal)
        .as("the end of %s is recorded", graph)
        .anyMatch(record -> record instanceof GraphEnded end && end.graph().equals(graph));
    later(random.nextInt(200), () -> forget(graph));
  }

  private void succeeded(String graph) {
    end(graph, GraphEnded.Outcome.SUCCEEDED);
    Stream.of(shape(graph), graph(graph).workflow().graph())
        .flatMap(results -> results.finalOutputs().stream())
        .forEach(
            file ->
                assertThat(disk.getOrDefault(ScopedId.of(graph, file.id()), Set.of()))
                    .as("%s of %s exists", file.id(), graph)
                    .isNotEmpty());
    Set<String> copied = new HashSet<>();
    for (DispatchRecord record : journal) {
      if (record instanceof DispatchRecord.WrittenBack written) {
        copied.add(written.copy().name());
      }
    }
    for (String file : graph(graph).onNodes()) {
      String id = ScopedId.of(graph, file);
      if (stored.containsKey(id)
          && !graph(graph).temporaries().contains(file)
          && !shape(graph).consumers(file).isEmpty()) {
        assertThat(copied).as("files that HDFS has had").contains(id);
      }
    }
    assertThat(dispatcher.progress(graph).done()).isEqualTo(shape(graph).workflow().tasks().size());
  }

  /** Records of forgotten graphs and jobs are removed from the journal. */
  private void forget(String graph) {
    if (dispatcher.hasAttempts(graph)) {
      later(100, () -> forget(graph));
    } else {
      dispatcher.forgetGraph(graph);
      forgotten.add(graph);
      journal.removeIf(record -> record.graph().equals(graph));
      written = Math.min(written, journal.size());
    }
  }

  private void forgetAll() {
    for (String graph : List.copyOf(ends.keySet())) {
      for (Member worker : List.copyOf(workers.values())) {
        if (dispatcher.hasAttempts(graph)) {
          lose(worker);
        }
      }
      dispatcher.forgetGraph(graph);
    }
    assertThat(dispatcher.progress().tasks()).isEqualTo(dispatcher.progress("").tasks());
  }

  private void take(Effect.Start start) {
    String graph = ScopedId.graph(start.task());
    assertThat(ends).as("%s is of a graph that goes on", start).doesNotContainKey(graph);
    Member worker = workers.get(start.worker());
    assertThat(worker).as("worker of %s lives", start).isNotNull();
    assertThat(worker.attempts).as("has it once").doesNotContainKey(start.task());
    long others =
        workers.values().stream()
            .filter(other -> other.attempts.containsKey(start.task()))
            .filter(other -> !other.stopping.contains(start.task()))
            .count();
    assertThat(others).as("others that have %s", start).isEqualTo(start.copy() ? 1 : 0);
    worker.attempts.put(start.task(), start);
    worker.since.put(start.task(), now);
    later(random.nextInt(4), () -> beginWhatFits(worker));
  }

  private void beginWhatFits(Member worker) {
    if (worker.hangs) {
      return;
    }
    int cores = 0;
    long memory = 0;
    for (Effect.Start start : List.copyOf(worker.attempts.values())) {
      cores += start.needs().cores();
      memory += start.needs().memoryBytes();
      if (worker.begun.contains(start.task())) {
        continue;
      }
      if (cores > size.cores() || memory > size.memoryBytes()) {
        return;
      }
      worker.begun.add(start.task());
      boolean slow = stragglers && random.nextInt(6) == 0;
      int time = slow ? 5_000 + random.nextInt(60_000) : 1 + random.nextInt(15);
      later(time, () -> commandEnds(worker, start));
    }
  }

  private boolean has(Member worker, Effect.Start start) {
    return !worker.hangs
        && workers.get(worker.info.id()) == worker
        && start.equals(worker.attempts.get(start.task()));
  }

  private void commandEnds(Member worker, Effect.Start start) {
    if (!has(worker, start)) {
      return;
    }
    if (start.copy() || now - worker.since.getOrDefault(start.task(), now) >= ASKS_AFTER) {
      worker.asking.add(start.task());
      apply(dispatcher.mayCommit(worker.info.id(), start.task(), start.attempt(), now));
    } else {
      commit(worker, start);
    }
  }

  private void permitted(Effect.Permit permit) {
    Member worker = workers.get(permit.worker());
    Effect.Start start = worker == null ? null : worker.attempt(permit.task(), permit.attempt());
    if (worker == null || start == null || worker.hangs || !worker.asking.remove(start.task())) {
      return;
    }
    if (!permit.granted()) {
      report(worker, start, TaskReport.stopped(start.task(), start.attempt()));
      return;
    }
    assertThat(workers.values())
        .as("no other may commit %s", start.task())
        .noneMatch(other -> other.permitted.contains(start.task()));
    worker.permitted.add(start.task());
    later(random.nextInt(5), () -> commit(worker, start));
  }

  private void commit(Member worker, Effect.Start start) {
    if (has(worker, start)) {
      report(worker, start, outcome(start, worker.info.node()));
    }
  }

  private void report(Member worker, Effect.Start start, TaskReport report) {
    worker.ended(start.task());
    apply(dispatcher.reported(worker.info.id(), report, now));
    beginWhatFits(worker);
  }

  private TaskReport outcome(Effect.Start start, String node) {
    String[] gone =
        inputsOf(start.task()).stream()
            .filter(file -> isUnreadable(file, start.stores().inputs().get(file)))
            .toArray(String[]::new);
    if (gone.length > 0) {
      return Reports.inputLost(start, gone);
    }
    switch (random.nextInt(60)) {
      case 0, 1, 2, 3 -> {
        return Reports.infrastructure(start);
      }
      case 4 -> {
        return Reports.nodeUnfit(start);
      }
      case 5 -> {
        return Reports.memoryExceeded(start);
      }
      case 6 -> {
        return Reports.infrastructure(start);
      }
      default -> {
        // The attempt ends by itself.
      }
    }
    if (random.nextInt(7) == 0) {
      return Reports.failed(start, 1);
    }
    Set<String> places = new TreeSet<>(List.of(node));
    if (random.nextInt(3) == 0) {
      places.add("n" + (nodes - 1));
    }
    start.outputs().forEach(file -> disk.put(file, new HashSet<>(places)));
    start.outputs().forEach(stored::remove);
    start.outputs().forEach(copies::remove);
    start.outputs().forEach(fileIds::remove);
    TaskReport report = Reports.succeeded(start, places);
    return report.withFiles(
        report.lostInputs(),
        report.outputs().stream().map(file -> inStore(start, file, node)).toList(),
        report.inputs());
  }

  /** Some stores have no room, and the file goes to HDFS. */
  private StoredFile inStore(Effect.Start start, StoredFile file, String node) {
    if (!start.stores().outputs().contains(file.name()) || random.nextInt(4) == 0) {
      return file;
    }
    disk.put(file.name(), new HashSet<>(Set.of(node)));
    stored.put(file.name(), ++versions);
    return new StoredFile(
        file.name(),
        file.sizeBytes(),
        Map.of(node, file.sizeBytes()),
        file.crc32c(),
        List.of(),
        0,
        versions);
  }

  /** Whether the file is lost, or not where the order says. */
  private boolean isUnreadable(String file, @Nullable NodeContent content) {
    Copy copy = copies.get(file);
    if (content == null && copy != null) {
      return copy.nodes.isEmpty();
    }
    return isLost(file)
        || !Objects.equals(stored.get(file), content == null ? null : content.millis());
  }

  private void drop(Effect.DropStored drop) {
    String file = drop.file();
    if (!Objects.equals(stored.get(file), drop.content().millis())) {
      return;
    }
    if (!ends.containsKey(ScopedId.graph(file))) {
      assertThat(workers.values())
          .as("no attempt that goes on reads %s", file)
          .noneMatch(
              worker ->
                  worker.attempts.values().stream()
                      .anyMatch(
                          at ->
                              !worker.stopping.contains(at.task())
                                  && at.stores().inputs().containsKey(file)));
    }
    disk.remove(file);
    stored.remove(file);
    Copy copy = copies.remove(file);
    if (copy != null) {
      disk.put(file, copy.nodes);
      fileIds.put(file, copy.fileId);
    }
  }

  private boolean isLost(String file) {
    return disk.getOrDefault(file, Set.of()).isEmpty();
  }

  private void giveBack(Effect.Recall recall) {
    Member worker = workers.get(recall.worker());
    Effect.Start start = worker == null ? null : worker.attempt(recall.task(), recall.attempt());
    if (worker == null || worker.hangs) {
      return;
    }
    if (start == null || worker.begun.contains(recall.task())) {
      apply(dispatcher.begun(recall.worker(), recall.task(), recall.attempt(), now));
    } else {
      report(worker, start, Reports.recalled(start));
    }
  }

  private void stop(Effect.Stop stop) {
    Member worker = workers.get(stop.worker());
    Effect.Start start = worker == null ? null : worker.attempt(stop.task(), stop.attempt());
    if (worker != null && start != null && !worker.hangs) {
      report(worker, start, TaskReport.stopped(stop.task(), stop.attempt()));
    }
  }

  private void check(Effect.Check check) {
    List<String> lost = check.results().stream().filter(this::isLost).toList();
    apply(dispatcher.checked(check.graph(), lost, now));
  }

  private void writeBack(Effect.WriteBack order) {
    Member worker = workers.get(order.worker());
    if (worker == null || worker.hangs) {
      return;
    }
    String file = order.file();
    long millis = order.content().millis();
    StoredFile copy = null;
    if (random.nextInt(9) > 0
        && Objects.equals(stored.get(file), millis)
        && disk.getOrDefault(file, Set.of()).contains(worker.info.node())
        && mayWriteBack(worker.info.id(), file, millis)) {
      String node = "n" + random.nextInt(nodes);
      copies.put(file, new Copy(++versions, new HashSet<>(Set.of(node))));
      long bytes = order.content().bytes();
      copy = new StoredFile(file, bytes, Map.of(node, bytes), 5, List.of(), versions);
    }
    String problem = copy == null ? "cannot be written" : "";
    apply(
        dispatcher.writtenBack(
            worker.info.id(),
            file,
            new WriteBackEnd(millis, copy, problem, copy == null && random.nextBoolean(), false),
            now));
  }

  private boolean mayWriteBack(String worker, String file, long millis) {
    Step step = dispatcher.mayWriteBack(worker, file, millis, now);
    apply(step);
    return step.effects().contains(new Effect.PermitWriteBack(worker, file, millis, true));
  }

  private void delete(List<Effect.UnneededFile> unneeded, int records) {
    written = Math.max(written, Math.min(records, journal.size()));
    List<String> files = new ArrayList<>();
    for (Effect.UnneededFile one : unneeded) {
      String file = one.file();
      files.add(file);
      Copy copy = copies.get(file);
      if (copy != null && copy.fileId == one.fileId()) {
        copies.remove(file);
        continue;
      } else if (one.fileId() != 0) {
        if (fileIds.remove(file, one.fileId())) {
          disk.remove(file);
        }
        continue;
      }
      assertThat(workers.values())
          .as("no attempt that goes on reads %s or makes it again", file)
          .noneMatch(
              worker ->
                  worker.attempts.values().stream()
                      .filter(at -> !worker.stopping.contains(at.task()))
                      .anyMatch(
                          at -> at.outputs().contains(file) || inputsOf(at.task()).contains(file)));
      disk.remove(file);
    }
    apply(dispatcher.deleted(files, now));
  }

  private void scheduleFault() {
    later(
        1 + random.nextInt(stragglers ? 9_000 : 60),
        () -> {
          faults++;
          switch (random.nextInt(9)) {
            case 0 -> anyWorker(this::lose);
            case 1 -> anyWorker(this::hang);
            case 2 -> loseNode();
            case 3 -> loseFile();
            case 4 -> restart(true);
            case 5 -> restart(false);
            default -> request();
          }
          if (faults < MAX_FAULTS) {
            scheduleFault();
          } else {
            graphs.keySet().forEach(graph -> request(graph, Steering.of(Action.RESUME, "")));
            request("", Steering.of(Action.RESUME, ""));
          }
        });
  }

  private void anyWorker(Consumer<Member> what) {
    if (!workers.isEmpty()) {
      what.accept(List.copyOf(workers.values()).get(random.nextInt(workers.size())));
    }
  }

  private void lose(Member worker) {
    if (workers.remove(worker.info.id(), worker)) {
      apply(dispatcher.workerLost(worker.info.id(), "lost", now));
      joinLater(worker.info.node());
      if (random.nextInt(3) == 0) {
        laterHere(
            random.nextInt(20),
            () -> apply(dispatcher.killedForMemory(worker.info.id(), "took too much", now)));
      }
    }
  }

  private void hang(Member worker) {
    worker.hangs = true;
    later(30 + random.nextInt(60), () -> lose(worker));
  }

  private void loseNode() {
    String node = "n" + random.nextInt(nodes);
    disk.forEach(
        (file, places) -> {
          if (!inputs.contains(file)) {
            places.remove(node);
          }
        });
    copies.values().forEach(copy -> copy.nodes.remove(node));
    for (Member worker : List.copyOf(workers.values())) {
      if (worker.info.node().equals(node)) {
        lose(worker);
      }
    }
  }

  private void loseFile() {
    List<String> made = disk.keySet().stream().filter(f -> !inputs.contains(f)).sorted().toList();
    if (!made.isEmpty()) {
      String lost = made.get(random.nextInt(made.size()));
      disk.remove(lost);
      copies.remove(lost);
    }
  }

  private void request() {
    List<String> known = new ArrayList<>(graphs.keySet());
    known.sort(null);
    known.add("");
    String graph = known.get(random.nextInt(known.size()));
    String tasks = random.nextBoolean() ? "t" + random.nextInt(20) : "t" + random.nextInt(9) + "*";
    switch (random.nextInt(7)) {
      case 0 -> request(graph, Steering.of(Action.PAUSE, random.nextBoolean() ? "" : tasks));
      case 1 -> request(graph, Steering.of(Action.CANCEL, tasks));
      case 2 -> request(graph, Steering.of(Action.CANCEL, random.nextInt(4) > 0 ? tasks : ""));
      case 3 -> request(graph, Steering.of(Action.RETRY, random.nextBoolean() ? "" : tasks));
      case 4 -> request(graph, new Steering(Action.PRIORITISE, "", random.nextInt(5) - 2));
      case 5 -> request(graph, new Steering(Action.PRIORITISE, tasks, random.nextInt(5) - 2));
      default -> request(graph, Steering.of(Action.RESUME, ""));
    }
  }

  private void request(String graph, Steering request) {
    steeringRequests++;
    apply(dispatcher.steer(graph, "request" + steeringRequests, request, now));
    written = journal.size();
  }

  /** Replaces the master: the new one reads the journal, and the workers return or are replaced. */
  private void restart(boolean workersStay) {
    checkReplay();
    master++;
    List<Member> before = List.copyOf(workers.values());
    workers.clear();
    for (int lost = workersStay ? 0 : random.nextInt(3);
        lost > 0 && journal.size() > written;
        lost--) {
      journal.remove(journal.size() - 1);
    }
    dispatcher = replayed();
    reshape();
    for (DispatchRecord record : List.copyOf(journal)) {
      if (record instanceof GraphEnded ended && !ends.containsKey(ended.graph())) {
        end(ended.graph(), ended.outcome());
      }
    }
    for (Member worker : before) {
      if (!workersStay || worker.hangs) {
        joinLater(worker.info.node());
      } else {
        comeBack(worker);
      }
    }
    apply(dispatcher.start(now));
    // Requests stay in the directory of a run until its end.
    additions.forEach(
        (request, added) -> {
          if (!ends.containsKey(added.id())) {
            grow(request);
          }
        });
  }

  private void comeBack(Member worker) {
    worker.stopping.clear();
    join(worker);
    List<HeldAttempt> held = new ArrayList<>();
    List<TaskReport> reports = new ArrayList<>();
    for (Effect.Start start : List.copyOf(worker.attempts.values())) {
      long since = now - worker.since.getOrDefault(start.task(), now);
      boolean mayCommit = worker.permitted.contains(start.task());
      // Some attempts have ended while there was no master.
      boolean asks = start.copy() || since >= ASKS_AFTER;
      boolean ended =
          worker.begun.contains(start.task()) && (mayCommit || !asks) && random.nextInt(3) == 0;
      held.add(new HeldAttempt(start.task(), start.attempt(), since, mayCommit, ended));
      if (ended) {
        reports.add(outcome(start, worker.info.node()));
        worker.ended(start.task());
      }
    }
    apply(dispatcher.returned(worker.info.id(), held, now));
    for (TaskReport report : reports) {
      apply(dispatcher.reported(worker.info.id(), report, now));
    }
    later(1, () -> beginWhatFits(worker));
    for (String task : List.copyOf(worker.asking)) {
      Effect.Start start = worker.attempts.get(task);
      if (start != null) {
        apply(dispatcher.mayCommit(worker.info.id(), task, start.attempt(), now));
      }
    }
  }

  private Dispatcher replayed() {
    Dispatcher fresh = newDispatcher();
    for (DispatchRecord record : journal) {
      if (record instanceof GraphAdded added) {
        fresh.replayGraph(added, graph(added.graph()));
      } else if (record instanceof GraphGrown grown) {
        fresh.replayGrowth(Objects.requireNonNull(additions.get(grown.request())), grown);
      } else {
        fresh.replay(record);
      }
    }
    return fresh;
  }

  /** The state after a replay equals the present state. */
  private void checkReplay() {
    Dispatcher other = replayed();
    List<String> known = new ArrayList<>(graphs.keySet());
    known.removeAll(forgotten);
    known.add("");
    for (String graph : known) {
      assertThat(other.progress(graph).done()).isEqualTo(dispatcher.progress(graph).done());
      Progress.Details live = dispatcher.details(graph);
      Progress.Details again = other.details(graph);
      assertThat(again.paused()).isEqualTo(live.paused());
      assertThat(again.failures()).isEqualTo(live.failures());
      assertThat(again.dropped()).as("dropped of %s", graph).isEqualTo(live.dropped());
      assertThat(settled(again)).isEqualTo(settled(live));
    }
    assertThat(other.workerDemand().wantedWorkers())
        .isEqualTo(dispatcher.workerDemand().wantedWorkers());
  }

  private static Map<String, List<Integer>> settled(Progress.Details details) {
    return details.types().stream()
        .collect(
            Collectors.toMap(type -> type.type(), type -> List.of(type.done(), type.dropped())));
  }

  /** How the graphs have ended. */
  Map<GraphEnded.Outcome, Long> completion() {
    return ends.values().stream()
        .collect(Collectors.groupingBy(outcome -> outcome, Collectors.counting()));
  }
}
