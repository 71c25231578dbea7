package dev.weir.workflow.worker;

import static java.util.stream.Collectors.toSet;

import dev.weir.workflow.process.CommandEnvironment;
import dev.weir.workflow.process.CommandExitCode;
import dev.weir.workflow.process.HostProbe;
import dev.weir.workflow.process.TaskProcess;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskOrder;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.sandbox.DiscardedFiles;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.text.ErrorMessages;
import dev.weir.workflow.transfer.CommitPermit;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Fetched;
import dev.weir.workflow.transfer.FailureClassifier;
import dev.weir.workflow.transfer.InputIntegrity;
import dev.weir.workflow.transfer.InputIntegrity.Altered;
import dev.weir.workflow.transfer.RegionJoin;
import dev.weir.workflow.transfer.StageIn;
import dev.weir.workflow.transfer.StageOut;
import dev.weir.workflow.transfer.WriteBehind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One attempt at a task and what it has used so far. For one use, by one thread. */
final class Attempt {

  private final Means means;
  private final TaskOrder order;
  private final ResourceGate.Ticket turn;
  private final CommitPermit.AsNeeded permit;
  private final long taken;
  private final TaskLogs logs;
  private Fetched fetched = Fetched.NOTHING;
  private long stageInNanos;
  private long runNanos;
  private long stageOutNanos;
  private int exitCode = TaskReport.NO_EXIT_CODE;
  private ResourceUse effort = ResourceUse.NONE;
  private List<StoredFile> outputs = List.of();
  private List<ReadFile> inputs = List.of();

  /** What was made without moving bytes, and counts for none. */
  private List<StoredFile> joined = List.of();

  private @Nullable StageIn stageIn;

  /**
   * What the attempts of a worker are made with and share.
   *
   * @param store where files come from and go to
   * @param places where the worker keeps its own
   * @param tools what moves files and starts commands
   * @param machine tells why a command may have failed
   * @param leavings takes and gives small files
   * @param behind what they share in storing outputs while commands run
   */
  record Means(
      DataStore store,
      TaskRunner.Places places,
      TaskRunner.Tools tools,
      HostProbe machine,
      DiscardedFiles leavings,
      WriteBehind.Shared behind) {}

  /**
   * What came of an attempt.
   *
   * @param report how it ended
   * @param ifRoom how it ended instead, should the disk have room as soon as the attempt's files
   *     are gone; null when the disk was not full
   */
  record Outcome(TaskReport report, @Nullable TaskReport ifRoom) {

    private static Outcome of(TaskReport report) {
      return new Outcome(report, null);
    }
  }

  /**
   * An attempt of which nothing is made yet.
   *
   * @param turn when the command may begin
   * @param permit asked before the commit
   */
  Attempt(Means means, TaskOrder order, ResourceGate.Ticket turn, CommitPermit.AsNeeded permit) {
    this.means = means;
    this.order = order;
    this.turn = turn;
    this.permit = permit;
    this.taken = now();
    this.logs = TaskLogs.of(means.places().logs(), order);
  }

  /**
   * Makes it. Whatever goes wrong is in what came of it.
   *
   * @param sandbox an empty one
   * @throws InterruptedException when it is to be stopped
   */
  Outcome make(Sandbox sandbox) throws InterruptedException {
    try {
      return order.join() ? Outcome.of(join()) : bringAndRun(sandbox);
    } catch (IOException | RuntimeException e) {
      return troubled(e);
    }
  }

  private Outcome bringAndRun(Sandbox sandbox) throws IOException, InterruptedException {
    StageIn.Result in = bring(sandbox);
    if (!in.unreadable().isEmpty()) {
      return Outcome.of(report(Result.INPUT_UNREADABLE, in.unreadable(), in.lost()));
    }
    if (!in.lost().isEmpty()) {
      return Outcome.of(lost(in.lost()));
    }
    makeOutputsWritable(sandbox);
    if (!turn.enter()) {
      return Outcome.of(TaskReport.recalled(order.task(), order.attempt()));
    }
    try (WriteBehind behind = WriteBehind.start(means.store(), order, sandbox, means.behind())) {
      long kills = means.machine().oomKills().count();
      long mark = now();
      exitCode = execute(sandbox, in.integrity());
      behind.commandEnded();
      runNanos = now() - mark;
      // The next command may begin while this one's outputs are on their way.
      turn.leave();
      Outcome fault = fault(sandbox, in.integrity(), kills);
      if (fault != null) {
        return fault;
      }
      mark = now();
      outputs = stageOut().run(order, sandbox, behind::finish, in.integrity());
      stageOutNanos = now() - mark;
    }
    means.leavings().discardLog(logs.stdout());
    means.leavings().discardLog(logs.stderr());
    return Outcome.of(report(Result.SUCCEEDED, "", List.of()));
  }

  /** What is wrong with how the command ended, or with what it left; null for nothing. */
  private @Nullable Outcome fault(Sandbox sandbox, InputIntegrity integrity, long killsBefore)
      throws IOException {
    // Also when it has failed: what it has altered must not reach others.
    List<Altered> altered = altered(integrity);
    boolean byAnother = !altered.isEmpty() && altered.stream().allMatch(Altered::byAnother);
    if (exitCode != 0) {
      return commandFailed(killsBefore, altered, byAnother);
    }
    if (byAnother) {
      return ended(Result.INFRASTRUCTURE, InputIntegrity.alteredText(altered, byAnother));
    }
    List<String> strays = sandbox.leftovers();
    if (!strays.isEmpty()) {
      return ended(
          Result.FAILED,
          "the command wrote outside its sandbox: '../"
              + strays.get(0)
              + "': let it write below its working directory, or in $TMPDIR what nobody needs");
    }
    if (integrity.wasLinkRemoved()) {
      return ended(
          Result.FAILED,
          "the command removed what is beside its sandbox, '../"
              + sandbox.held().getFileName()
              + "': let it remove nothing outside of its working directory");
    }
    return altered.isEmpty()
        ? null
        : ended(Result.FAILED, InputIntegrity.alteredText(altered, /* byAnother= */ false));
  }

  private StageIn.Result bring(Sandbox sandbox) throws IOException, InterruptedException {
    long mark = now();
    StageIn bringing = new StageIn(means.store(), means.tools().transfers());
    stageIn = bringing;
    StageIn.Result in = bringing.run(order, sandbox);
    fetched = in.fetched();
    inputs = in.read();
    stageInNanos = now() - mark;
    return in;
  }

  private TaskReport lost(List<String> files) {
    return report(Result.INPUT_LOST, "input lost: " + String.join(", ", files), files);
  }

  private StageOut stageOut() {
    return new StageOut(
        means.store(),
        means.tools().transfers().out(),
        () -> permit.await(order.asks(millis(now() - taken))),
        means.tools().lanes());
  }

  /** Nothing is read or written for it, and it needs no turn: it is one call to the NameNode. */
  private TaskReport join() throws IOException, InterruptedException {
    turn.leave();
    if (turn.recalled()) {
      return TaskReport.recalled(order.task(), order.attempt());
    }
    long mark = now();
    RegionJoin.Result result = new RegionJoin(means.store(), stageOut()).run(order);
    stageOutNanos = now() - mark;
    if (!result.lost().isEmpty()) {
      return lost(result.lost());
    }
    exitCode = 0;
    joined = result.stored();
    return report(Result.SUCCEEDED, "", List.of());
  }

  private int execute(Sandbox sandbox, InputIntegrity integrity)
      throws IOException, InterruptedException {
    if (order.standIn()) {
      StandIn.run(order, sandbox);
      return 0;
    }
    for (var output : order.outputs()) {
      sandbox.fileToCreate(output.name());
    }
    means.leavings().reuseLog(logs.stdout());
    means.leavings().reuseLog(logs.stderr());
    TaskProcess process =
        TaskProcess.start(
            new TaskProcess.Command(
                order.command(),
                sandbox.work(),
                CommandEnvironment.of(
                    means.places().environment(), means.places().secrets(), order, sandbox),
                logs.stdout(),
                logs.stderr()),
            means.tools().shells());
    int code = awaitOrKill(process, integrity);
    effort = process.effort();
    return code;
  }

  /** Of one that is stopped what it has altered is told, too, or others would have done it. */
  private int awaitOrKill(TaskProcess process, InputIntegrity integrity)
      throws IOException, InterruptedException {
    try {
      return process.await();
    } catch (InterruptedException e) {
      process.end();
      altered(integrity);
      throw e;
    } catch (IOException e) {
      altered(integrity);
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

  private List<Altered> altered(InputIntegrity integrity) throws IOException {
    if (order.standIn()) {
      return List.of();
    }
    Set<String> made = made();
    try {
      return integrity.altered().stream().filter(input -> !made.contains(input.name())).toList();
    } catch (IOException e) {
      if (exitCode != 0) {
        // That says more of what went wrong than an input that cannot be looked at.
        return List.of();
      }
      throw e;
    }
  }

  private Outcome ended(Result result, String message) {
    return Outcome.of(report(result, message, List.of()));
  }

  /** Looked at while the files that may have filled the disk are there. */
  private Outcome troubled(Exception problem) {
    StageIn in = stageIn;
    // A disk that has bytes left is out of inodes, or over a quota, and no better without them.
    boolean isByItself =
        FailureClassifier.isFullDisk(problem)
            && means.machine().isFullFor(in == null ? 0 : in.bytes());
    Outcome outcome = notMade(problem);
    return isByItself
        ? new Outcome(outcome.report(), tooLargeForTheDisk(ErrorMessages.firstLine(problem)))
        : outcome;
  }

  /** Nothing of it could be made, or its sandbox was no good. */
  Outcome notMade(Exception problem) {
    FailureClassifier trouble = FailureClassifier.of(problem, place());
    TaskReport report = report(trouble.result(), trouble.message(), List.of());
    return new Outcome(report, FailureClassifier.isFullDisk(problem) ? report : null);
  }

  private String place() {
    return means.store().node() + " with " + means.places().sandboxes();
  }

  private String memory() {
    long declared = order.needs().memoryBytes();
    return (declared == 0
            ? " (the task declares none)"
            : " (" + (declared >> 20) + " MiB were set aside for it)")
        + ": declare what it needs, or give --worker-memory";
  }

  /** What it left is gone, and others have room: another node may have enough for it. */
  private TaskReport tooLargeForTheDisk(String said) {
    return report(
        Result.INFRASTRUCTURE,
        said
            + ": the disk of "
            + place()
            + " was full until the task's files were removed: when no other node has room for"
            + " them either, give nodes more in yarn.nodemanager.local-dirs",
        List.of());
  }

  /**
   * A command that finds no room for its files is not to blame, nor would others find any; nor is
   * one that may have read what another task altered. Its exit code comes first in any case: what
   * it altered is perhaps why it failed, and perhaps not.
   */
  private Outcome commandFailed(long killsBefore, List<Altered> altered, boolean byAnother)
      throws IOException {
    String how = CommandExitCode.explain(exitCode, order.command().get(0), means.store().node());
    if (means.machine().isFull()) {
      String full = how + ", and " + FailureClassifier.full(place());
      return new Outcome(report(Result.NODE_UNFIT, full, List.of()), tooLargeForTheDisk(how));
    }
    if (exitCode == CommandExitCode.KILLED && means.machine().oomKills().count() > killsBefore) {
      return ended(Result.MEMORY_EXCEEDED, how + ", for want of memory" + memory());
    }
    if (altered.isEmpty()) {
      return ended(Result.FAILED, how);
    }
    String also = InputIntegrity.alteredText(altered, byAnother);
    return ended(byAnother ? Result.INFRASTRUCTURE : Result.FAILED, how + "; also, " + also);
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
        .filter(place -> !place.getKey().equals(means.store().node()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private long now() {
    return means.tools().nanoTime().getAsLong();
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
