package dev.weir.workflow.worker;

import static java.util.stream.Collectors.toSet;

import dev.weir.workflow.protocol.Effort;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.ReadFile;
import dev.weir.workflow.protocol.StoredFile;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.worker.DataStore.Fetched;
import dev.weir.workflow.worker.InputSeals.Broken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes attempts at tasks: stage-in, command, stage-out, in a sandbox of their own. Several may be
 * made at a time; only the command needs a turn.
 */
final class TaskRunner {

  private static final String BY_ITSELF =
      ": other tasks may read the same file; have the command work on a copy";

  private static final String BY_ANOTHER =
      ", by it or by another task of this node that reads the same file: it is tried again on a"
          + " copy of its own";

  private final DataStore store;
  private final Places places;
  private final Tools tools;
  private final Machine machine;
  private final Sandboxes sandboxes;
  private final Leavings leavings;

  /** What outputs look like that were not written from beginning to end. */
  private final Set<String> rewritten = ConcurrentHashMap.newKeySet();

  /**
   * Where a worker keeps its files.
   *
   * @param sandboxes directory for sandboxes
   * @param logs directory for the commands' stdout and stderr
   * @param environment variables that every command gets
   */
  record Places(Path sandboxes, Path logs, Map<String, String> environment) {}

  /**
   * What attempts are made with.
   *
   * @param transfers move files
   * @param shells start commands
   * @param nanoTime the time, as of {@link System#nanoTime}
   */
  record Tools(Transfers transfers, CommandShells shells, LongSupplier nanoTime) {}

  TaskRunner(DataStore store, Places places, Tools tools) {
    this(store, places, tools, Machine.here(places.sandboxes()));
  }

  /**
   * A runner.
   *
   * @param machine tells why a command may have failed
   */
  TaskRunner(DataStore store, Places places, Tools tools, Machine machine) {
    this.machine = machine;
    this.store = store;
    this.places = places;
    this.leavings = new Leavings(places.sandboxes().resolveSibling("leavings"));
    this.sandboxes = new Sandboxes(places.sandboxes(), leavings);
    this.tools = tools;
  }

  /**
   * Makes an attempt. Whatever goes wrong is in the report.
   *
   * @param turn when the command may begin
   * @return the report; one of {@link Result#RECALLED} when the turn was recalled
   * @throws InterruptedException when the worker is told to stop, or the turn was recalled; the
   *     command is dead then
   */
  TaskReport run(TaskOrder order, Gate.Ticket turn) throws InterruptedException {
    return run(order, turn, Permit.NOT_NEEDED);
  }

  /**
   * Makes an attempt beside which there may be another one.
   *
   * @param turn when the command may begin
   * @param permit asked before the commit, if the order says so
   * @return the report
   * @throws InterruptedException when the worker is told to stop, the turn was recalled, or the
   *     attempt may not commit
   */
  TaskReport run(TaskOrder order, Gate.Ticket turn, Permit permit) throws InterruptedException {
    Attempt attempt = new Attempt(order, turn, permit);
    TaskReport report = make(attempt, turn);
    String full = attempt.fullDisk;
    if (full != null) {
      leavings.clear();
    }
    return full != null && machine.hasRoom() ? attempt.tooLargeForTheDisk(full) : report;
  }

  private TaskReport make(Attempt attempt, Gate.Ticket turn) throws InterruptedException {
    try {
      Sandbox sandbox = sandboxes.take();
      try {
        return attempt.make(sandbox);
      } catch (IOException | RuntimeException e) {
        attempt.lookAtDisk(e);
        throw e;
      } finally {
        sandboxes.giveBack(sandbox);
      }
    } catch (IOException | RuntimeException e) {
      return attempt.troubled(e);
    } finally {
      turn.leave();
    }
  }

  /** One attempt and what it has used so far. */
  private final class Attempt {

    private final TaskOrder order;
    private final Gate.Ticket turn;
    private final Permit permit;
    private final long taken;
    private final TaskLogs logs;
    private Fetched fetched = Fetched.NOTHING;
    private long stageInNanos;
    private long runNanos;
    private long stageOutNanos;
    private int exitCode = TaskReport.NO_EXIT_CODE;
    private @Nullable String fullDisk;
    private Effort effort = Effort.NONE;
    private List<StoredFile> outputs = List.of();
    private List<ReadFile> inputs = List.of();

    /** What was made without moving bytes, and counts for none. */
    private List<StoredFile> joined = List.of();

    private @Nullable StageIn stageIn;

    Attempt(TaskOrder order, Gate.Ticket turn, Permit permit) {
      this.order = order;
      this.turn = turn;
      this.permit = permit;
      this.taken = now();
      this.logs = TaskLogs.of(places.logs(), order);
    }

    TaskReport make(Sandbox sandbox) throws IOException, InterruptedException {
      if (order.join()) {
        return join();
      }
      long mark = now();
      stageIn = new StageIn(store, tools.transfers());
      StageIn.Result in = stageIn.run(order, sandbox);
      fetched = in.fetched();
      inputs = in.read();
      stageInNanos = now() - mark;
      if (!in.lost().isEmpty()) {
        return report(Result.INPUT_LOST, "input lost: " + String.join(", ", in.lost()), in.lost());
      }
      makeOutputsWritable(sandbox);
      if (!turn.enter()) {
        return TaskReport.recalled(order.task(), order.attempt());
      }
      try (WriteBehind behind = WriteBehind.start(store, order, sandbox, rewritten)) {
        long kills = machine.kernelKills().count();
        mark = now();
        exitCode = execute(sandbox);
        behind.commandEnded();
        runNanos = now() - mark;
        // The next command may begin while this one's outputs are on their way.
        turn.leave();
        // Also when it has failed: what it has altered must not reach others.
        List<Broken> altered = altered(in.seals());
        if (!altered.isEmpty() && altered.stream().allMatch(Broken::byAnother)) {
          return report(Result.INFRASTRUCTURE, alteredText(altered, BY_ANOTHER), List.of());
        }
        if (exitCode != 0) {
          return commandFailed(machine.kernelKills().count() > kills);
        }
        List<String> strays = sandbox.strays();
        if (!strays.isEmpty()) {
          return failed(
              "the command wrote outside its sandbox: '../"
                  + strays.get(0)
                  + "': let it write below its working directory, or in $TMPDIR what nobody needs");
        }
        if (!altered.isEmpty()) {
          return failed(alteredText(altered, BY_ITSELF));
        }
        mark = now();
        outputs = stageOut().run(order, sandbox, behind::finish);
        stageOutNanos = now() - mark;
      }
      leavings.takeLog(logs.stdout());
      leavings.takeLog(logs.stderr());
      return report(Result.SUCCEEDED, "", List.of());
    }

    private StageOut stageOut() {
      return new StageOut(
          store,
          tools.transfers().out(),
          () -> {
            if (order.asks(millis(now() - taken))) {
              permit.await();
            }
          });
    }

    /** Nothing is read or written for it, and it needs no turn: it is one call to the NameNode. */
    private TaskReport join() throws IOException, InterruptedException {
      turn.leave();
      if (turn.recalled()) {
        return TaskReport.recalled(order.task(), order.attempt());
      }
      long mark = now();
      RegionJoin.Result result = new RegionJoin(store, stageOut()).run(order);
      stageOutNanos = now() - mark;
      if (!result.lost().isEmpty()) {
        String lost = "input lost: " + String.join(", ", result.lost());
        return report(Result.INPUT_LOST, lost, result.lost());
      }
      exitCode = 0;
      joined = result.stored();
      return report(Result.SUCCEEDED, "", List.of());
    }

    private int execute(Sandbox sandbox) throws IOException, InterruptedException {
      if (order.standIn()) {
        StandIn.run(order, sandbox);
        return 0;
      }
      for (var output : order.outputs()) {
        sandbox.fileToCreate(output.name());
      }
      leavings.giveLog(logs.stdout());
      leavings.giveLog(logs.stderr());
      TaskProcess process =
          TaskProcess.start(
              new TaskProcess.Command(
                  order.command(),
                  sandbox.work(),
                  CommandEnvironment.of(places.environment(), order, sandbox),
                  logs.stdout(),
                  logs.stderr()),
              tools.shells());
      int code = awaitOrKill(process);
      effort = process.effort();
      return code;
    }

    private static int awaitOrKill(TaskProcess process) throws IOException, InterruptedException {
      try {
        return process.await();
      } catch (InterruptedException e) {
        process.kill();
        throw e;
      }
    }

    /** An input that is an output, too, is there to be altered. */
    private void makeOutputsWritable(Sandbox sandbox) {
      Set<String> made = made();
      for (FileSlot input : order.inputs()) {
        if (made.contains(input.name())) {
          sandbox.file(input.name()).toFile().setWritable(true);
        }
      }
    }

    private Set<String> made() {
      return order.outputs().stream().map(FileSlot::name).collect(toSet());
    }

    private List<Broken> altered(InputSeals seals) throws IOException {
      if (order.standIn()) {
        return List.of();
      }
      Set<String> made = made();
      try {
        return seals.broken().stream().filter(input -> !made.contains(input.name())).toList();
      } catch (IOException e) {
        if (exitCode != 0) {
          // That says more of what went wrong than an input that cannot be looked at.
          return List.of();
        }
        throw e;
      }
    }

    private static String alteredText(List<Broken> inputs, String who) {
      return "input '"
          + inputs.get(0).name()
          + "'"
          + (inputs.size() == 1 ? "" : " and " + (inputs.size() - 1) + " others")
          + " altered while the command ran"
          + who;
    }

    TaskReport failed(String message) {
      return report(Result.FAILED, message, List.of());
    }

    /**
     * While the files that may have filled it are there. A disk that has bytes left is out of
     * inodes, or over a quota, and no better without them.
     */
    void lookAtDisk(Exception problem) {
      StageIn in = stageIn;
      if (Trouble.isFullDisk(problem) && machine.isFullFor(in == null ? 0 : in.bytes())) {
        fullDisk = Trouble.firstLine(problem);
      }
    }

    TaskReport troubled(Exception problem) {
      Trouble trouble = Trouble.of(problem, place());
      if (Trouble.isFullDisk(problem)) {
        leavings.clear();
      }
      return report(trouble.result(), trouble.message(), List.of());
    }

    private String place() {
      return store.node() + " with " + places.sandboxes();
    }

    private String memory() {
      long declared = order.needs().memoryBytes();
      return (declared == 0
              ? " (the task declares none)"
              : " (" + (declared >> 20) + " MiB were set aside for it)")
          + ": declare what it needs, or give --worker-memory";
    }

    /** What it left is gone, and others have room: another node may have enough for it. */
    TaskReport tooLargeForTheDisk(String said) {
      return report(
          Result.INFRASTRUCTURE,
          said
              + ": the disk of "
              + place()
              + " was full until the task's files were removed: when no other node has room for"
              + " them either, give nodes more in yarn.nodemanager.local-dirs",
          List.of());
    }

    /** A command that finds no room for its files is not to blame, nor would others find any. */
    private TaskReport commandFailed(boolean kernelKilled) throws IOException {
      String how = ExitCode.explain(exitCode, order.command().get(0), store.node());
      if (machine.isFull()) {
        fullDisk = how;
        return report(
            Result.NODE_UNFIT, how + ", and the disk of " + place() + " is full", List.of());
      }
      if (exitCode == ExitCode.KILLED && kernelKilled) {
        return report(Result.MEMORY_EXCEEDED, how + ", for want of memory" + memory(), List.of());
      }
      return failed(how);
    }

    private TaskReport report(Result result, String message, List<String> lost) {
      return new TaskReport(
          order.task(),
          order.attempt(),
          result,
          exitCode,
          message,
          result == Result.SUCCEEDED ? "" : logs.stderrTail(),
          lost,
          order.join() ? joined : outputs,
          usage(),
          inputs,
          effort);
    }

    private Usage usage() {
      long reading = fetched.localNanos() + fetched.remoteNanos();
      long remoteNanos =
          reading == 0
              ? 0
              : Math.round((double) stageInNanos * fetched.remoteNanos() / (double) reading);
      long bytes = outputs.stream().mapToLong(StoredFile::sizeBytes).sum();
      return new Usage(
          millis(stageInNanos - remoteNanos),
          millis(remoteNanos),
          millis(runNanos),
          millis(stageOutNanos),
          fetched.localBytes(),
          fetched.remoteBytes(),
          bytes,
          outputs.stream().mapToLong(this::remoteBytes).sum(),
          fetched.cachedBytes());
    }

    private long remoteBytes(StoredFile file) {
      return file.bytesByHost().entrySet().stream()
          .filter(place -> !place.getKey().equals(store.node()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    private long now() {
      return tools.nanoTime().getAsLong();
    }

    private static long millis(long nanos) {
      return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
  }
}
