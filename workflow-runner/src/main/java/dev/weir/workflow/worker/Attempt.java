package dev.weir.workflow.worker;

import static java.util.stream.Collectors.toSet;

import dev.weir.workflow.fetch.FetchException;
import dev.weir.workflow.fetch.Fetcher;
import dev.weir.workflow.gang.Gang;
import dev.weir.workflow.gang.GangCommand;
import dev.weir.workflow.image.TaskContainer;
import dev.weir.workflow.model.FetchCommand;
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
import dev.weir.workflow.scheduler.api.ScopedId;
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
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An attempt at a task, with the resources that it has used so far. For one use, by one thread. */
final class Attempt {

  /** A session keeps this much of each of its last jobs in memory. */
  private static final int MAX_JOB_OUTPUT = 2048;

  private static final int MEBI_BITS = 20;

  private final Means means;
  private final TaskOrder order;
  private final ResourceGate.Ticket ticket;
  private final CommitPermit.AsNeeded permit;
  private final long startNanos;
  private final TaskLogs logs;
  private Fetched fetched = Fetched.NOTHING;
  private long stageInNanos;
  private long runNanos;
  private long stageOutNanos;
  private int exitCode = TaskReport.NO_EXIT_CODE;
  private boolean exceedsTimeLimit;

  /** Which other container of the gang was lost during the command; empty for none. */
  private String lostContainer = "";

  private ResourceUse effort = ResourceUse.NONE;
  private List<StoredFile> outputs = List.of();
  private List<ReadFile> inputs = List.of();

  /** The output of a join, which moves no bytes and is left out of the usage. */
  private List<StoredFile> joined = List.of();

  private @Nullable StageIn stageIn;

  /** Null for a command without a container. */
  private @Nullable TaskContainer container;

  /**
   * The resources that a worker's attempts share.
   *
   * @param store the store of inputs and outputs
   * @param places the worker's local directories
   * @param tools moves files and starts commands
   * @param host explains why a command may have failed
   * @param discarded keeps small files instead of deleting them
   */
  record Means(
      DataStore store,
      TaskRunner.Places places,
      TaskRunner.Tools tools,
      HostProbe host,
      DiscardedFiles discarded) {}

  /**
   * The result of an attempt.
   *
   * @param report how it ended
   * @param ifRoom the report to send instead if the disk has space once the attempt's files are
   *     deleted; null unless the disk was full
   */
  record Outcome(TaskReport report, @Nullable TaskReport ifRoom) {

    private static Outcome of(TaskReport report) {
      return new Outcome(report, null);
    }
  }

  /**
   * Creates an attempt that has not started.
   *
   * @param permit awaited before the commit
   */
  Attempt(Means means, TaskOrder order, ResourceGate.Ticket ticket, CommitPermit.AsNeeded permit) {
    this.means = means;
    this.order = order;
    this.ticket = ticket;
    this.permit = permit;
    this.startNanos = now();
    this.logs = TaskLogs.of(means.places().logs(), order);
  }

  /**
   * Runs the attempt. Failures are returned in the result, not thrown.
   *
   * @param sandbox an empty one
   * @throws InterruptedException when the attempt must stop
   */
  Outcome run(Sandbox sandbox) throws InterruptedException {
    try {
      return order.join() ? Outcome.of(join()) : stageAndRun(sandbox);
    } catch (FetchException e) {
      return ended(e.result(), ErrorMessages.message(e));
    } catch (IOException | RuntimeException e) {
      return failed(e);
    }
  }

  private Outcome stageAndRun(Sandbox sandbox) throws IOException, InterruptedException {
    StageIn.Result in = stageInputs(sandbox);
    if (!in.unreadable().isEmpty()) {
      return Outcome.of(report(Result.INPUT_UNREADABLE, in.unreadable(), in.lost()));
    }
    if (!in.lost().isEmpty()) {
      return Outcome.of(lost(in.lost()));
    }
    makeOutputsWritable(sandbox);
    prepareContainer(sandbox);
    if (!ticket.enter()) {
      return Outcome.of(TaskReport.recalled(order.task(), order.attempt()));
    }
    long kills = means.host().oomKills().getAsLong();
    long mark = now();
    exitCode = execute(sandbox, in.integrity());
    runNanos = now() - mark;
    // Another command may start while this one's outputs are being stored.
    ticket.leave();
    Outcome fault = fault(sandbox, in.integrity(), kills);
    if (fault != null) {
      return fault;
    }
    mark = now();
    outputs = stageOut().run(order, sandbox, in.integrity());
    stageOutNanos = now() - mark;
    means.discarded().discardLog(logs.stdout());
    means.discarded().discardLog(logs.stderr());
    return Outcome.of(report(Result.SUCCEEDED, "", List.of()));
  }

  /** Returns what is wrong with the command's exit or with the files it left; null for nothing. */
  private @Nullable Outcome fault(Sandbox sandbox, InputIntegrity integrity, long killsBefore)
      throws IOException {
    // Checked even after a failure: altered files must not reach other tasks.
    List<Altered> altered = altered(integrity);
    boolean byAnother = !altered.isEmpty() && altered.stream().allMatch(Altered::byAnother);
    if (exceedsTimeLimit) {
      return ended(
          Result.FAILED,
          "the command was killed because it ran longer than its time limit of "
              + TimeUnit.MILLISECONDS.toSeconds(order.timeLimitMillis())
              + " s: raise the limit (wall-time of the task, or --task-timeout), or find out why it"
              + " does not end");
    }
    if (!lostContainer.isEmpty()) {
      return ended(Result.INFRASTRUCTURE, lostContainer);
    }
    if (exitCode != 0) {
      return commandFailed(killsBefore, altered, byAnother);
    }
    if (byAnother) {
      return ended(Result.INFRASTRUCTURE, InputIntegrity.alteredText(altered, byAnother));
    }
    List<String> leftovers = sandbox.leftovers();
    if (!leftovers.isEmpty()) {
      return ended(
          Result.FAILED,
          "the command wrote outside its sandbox: '../"
              + leftovers.get(0)
              + "': let it write below its working directory, and temporary files in $TMPDIR");
    }
    if (integrity.wasLinkRemoved()) {
      return ended(
          Result.FAILED,
          "the command removed a directory beside its sandbox, '../"
              + sandbox.held().getFileName()
              + "': let it remove nothing outside of its working directory");
    }
    return altered.isEmpty()
        ? null
        : ended(Result.FAILED, InputIntegrity.alteredText(altered, /* byAnother= */ false));
  }

  private StageIn.Result stageInputs(Sandbox sandbox) throws IOException, InterruptedException {
    long mark = now();
    StageIn staging = new StageIn(means.store(), means.tools().transfers());
    stageIn = staging;
    StageIn.Result in = staging.run(order, sandbox);
    fetched = in.fetched();
    inputs = in.read();
    stageInNanos = now() - mark;
    return in;
  }

  private void prepareContainer(Sandbox sandbox) throws IOException, InterruptedException {
    if (!order.container().equals(TaskOrder.NO_CONTAINER)) {
      long mark = now();
      container = means.tools().containers().prepare(order, sandbox, environment(sandbox));
      stageInNanos += now() - mark;
    }
  }

  private Map<String, String> environment(Sandbox sandbox) {
    return CommandEnvironment.of(
        means.places().environment(), means.places().secrets(), order, sandbox);
  }

  private TaskReport lost(List<String> files) {
    return report(Result.INPUT_LOST, "input lost: " + String.join(", ", files), files);
  }

  private StageOut stageOut() {
    return new StageOut(
        means.store(),
        means.tools().transfers().out(),
        () -> permit.await(order.asks(millis(now() - startNanos))));
  }

  /** Needs no admission: it reads and writes nothing, but makes one call to the NameNode. */
  private TaskReport join() throws IOException, InterruptedException {
    ticket.leave();
    if (ticket.recalled()) {
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
      if (output.kind() != FileSlot.Kind.GLOB) {
        sandbox.fileToCreate(output.name());
      }
    }
    means.discarded().reuseLog(logs.stdout());
    means.discarded().reuseLog(logs.stderr());
    Optional<FetchCommand> source = FetchCommand.of(order.command());
    if (source.isPresent()) {
      return fetch(source.get(), sandbox);
    }
    if (order.needs().members() == 0) {
      return run(start(sandbox, Map.of()), integrity);
    }
    Gang gang = means.tools().gang();
    if (gang == null) {
      throw new IOException("this worker has no other containers for the task");
    }
    return runIn(gang, sandbox, integrity);
  }

  private int runIn(Gang gang, Sandbox sandbox, InputIntegrity integrity)
      throws IOException, InterruptedException {
    int code;
    try (GangCommand others =
        gang.begin(sandbox, order.needs().cores(), CommandEnvironment.marks(order))) {
      TaskProcess process = start(sandbox, others.environment());
      // mpiexec may not notice it.
      CompletableFuture<Void> end = others.lost().thenAccept(container -> process.end());
      code = run(process, integrity);
      end.cancel(false);
      lostContainer = others.lost().getNow("");
    }
    if (!lostContainer.isEmpty()) {
      gang.awaitRelease();
    }
    return code;
  }

  /** Starts the command; {@code more} are further variables. */
  private TaskProcess start(Sandbox sandbox, Map<String, String> more) throws IOException {
    TaskContainer in = container;
    Map<String, String> variables = new HashMap<>(more);
    variables.putAll(in == null ? environment(sandbox) : in.environment());
    return TaskProcess.start(
        new TaskProcess.Command(
            in == null ? order.command() : in.argv(),
            sandbox.work(),
            variables,
            logs.stdout(),
            logs.stderr()),
        means.tools().shells());
  }

  private int run(TaskProcess process, InputIntegrity integrity)
      throws IOException, InterruptedException {
    TaskContainer in = container;
    int code = awaitOrKill(process, integrity);
    if (in == null || in.isMeasured()) {
      effort = process.effort();
    }
    return code;
  }

  /** Fetches an external input of the workflow. */
  private int fetch(FetchCommand source, Sandbox sandbox) throws IOException, InterruptedException {
    String name = order.outputs().get(0).name();
    long start = now();
    long limit = order.timeLimitMillis();
    exceedsTimeLimit =
        !new Fetcher(means.places().secrets())
            .fetch(
                source,
                name,
                sandbox.file(name),
                () -> limit > 0 && millis(now() - start) >= limit);
    return exceedsTimeLimit ? CommandExitCode.KILLED : 0;
  }

  /**
   * Reports altered inputs of a stopped command, too; otherwise later tasks would be blamed for
   * them.
   */
  private int awaitOrKill(TaskProcess process, InputIntegrity integrity)
      throws IOException, InterruptedException {
    try {
      OptionalInt code = process.await(order.timeLimitMillis());
      exceedsTimeLimit = code.isEmpty();
      if (code.isEmpty() || code.getAsInt() == CommandExitCode.KILLED) {
        killContainer();
      }
      return code.orElse(CommandExitCode.KILLED);
    } catch (InterruptedException e) {
      process.end();
      killContainer();
      altered(integrity);
      throw e;
    } catch (IOException e) {
      killContainer();
      altered(integrity);
      throw e;
    }
  }

  private void killContainer() {
    TaskContainer started = container;
    if (started != null) {
      started.kill();
    }
  }

  /** The command may alter an input that is also an output. */
  private void makeOutputsWritable(Sandbox sandbox) {
    Set<String> outputNames = outputNames();
    for (FileSlot input : order.inputs()) {
      if (outputNames.contains(input.name())) {
        sandbox.file(input.name()).toFile().setWritable(true);
      }
    }
  }

  private Set<String> outputNames() {
    return order.outputs().stream()
        .filter(output -> output.kind() != FileSlot.Kind.GLOB)
        .map(FileSlot::name)
        .collect(toSet());
  }

  private List<Altered> altered(InputIntegrity integrity) throws IOException {
    if (order.standIn()) {
      return List.of();
    }
    Set<String> outputNames = outputNames();
    try {
      return integrity.altered().stream()
          .filter(input -> !outputNames.contains(input.name()))
          .toList();
    } catch (IOException e) {
      if (exitCode != 0) {
        // The exit code explains the failure better than an unreadable input.
        return List.of();
      }
      throw e;
    }
  }

  private Outcome ended(Result result, String message) {
    return Outcome.of(report(result, message, List.of()));
  }

  /** Checked while the files that may have filled the disk still exist. */
  private Outcome failed(Exception problem) {
    StageIn in = stageIn;
    // Otherwise the disk lacks inodes or the user's quota is used up, which deleting the files
    // does not resolve.
    boolean filledByTask =
        FailureClassifier.isFullDisk(problem)
            && means.host().isFullFor(in == null ? 0 : in.bytes());
    Outcome outcome = notStarted(problem);
    return filledByTask
        ? new Outcome(outcome.report(), tooLargeForTheDisk(ErrorMessages.firstLine(problem)))
        : outcome;
  }

  /** Returns the result of an attempt that failed before it created any file. */
  Outcome notStarted(Exception problem) {
    FailureClassifier failure = FailureClassifier.of(problem, place());
    TaskReport report = report(failure.result(), failure.message(), List.of());
    return new Outcome(report, FailureClassifier.isFullDisk(problem) ? report : null);
  }

  private String place() {
    return means.store().node() + " with " + means.places().sandboxes();
  }

  /** Returns the command's memory in words, with the remedy. */
  private String memory() {
    long used = effort.peakMemoryBytes();
    return (used == 0 ? " (it had " : " (it used " + (used >> MEBI_BITS) + " of ")
        + (ticket.memoryBytes() >> MEBI_BITS)
        + (order.needs().memoryBytes() == 0 ? " MiB, all of its worker's" : " MiB")
        + "): declare the memory that the task needs, or give workers more with --worker-memory";
  }

  /**
   * Reports that the disk was full only because of this attempt. Its files are deleted, so other
   * tasks have space, and another node may have enough for it.
   */
  private TaskReport tooLargeForTheDisk(String problem) {
    return report(
        Result.INFRASTRUCTURE,
        problem
            + ": the disk of "
            + place()
            + " was full until the task's files were removed: if no other node has space for them"
            + " either, add disks to yarn.nodemanager.local-dirs",
        List.of());
  }

  /**
   * Reports a failed command. A full disk excuses it, and so does an input that another task may
   * have altered. The exit code comes first in the message, because the altered input need not be
   * the reason of the failure.
   */
  private Outcome commandFailed(long killsBefore, List<Altered> altered, boolean byAnother)
      throws IOException {
    TaskContainer in = container;
    String plain = CommandExitCode.explain(exitCode, order.command().get(0), means.store().node());
    String exit = in == null ? plain : in.explain(exitCode, plain);
    if (means.host().isFull()) {
      String full = exit + ", and " + FailureClassifier.full(place());
      return new Outcome(report(Result.NODE_UNFIT, full, List.of()), tooLargeForTheDisk(exit));
    }
    if (exitCode == CommandExitCode.KILLED) {
      if (means.host().oomKills().getAsLong() > killsBefore) {
        return ended(
            Result.MEMORY_EXCEEDED, exit + ", because the node was out of memory" + memory());
      }
      if (effort.peakMemoryBytes() > ticket.memoryBytes()) {
        // Other killers than the kernel's, such as systemd-oomd, leave no count.
        return ended(
            Result.MEMORY_EXCEEDED, exit + " while it used more memory than it has" + memory());
      }
    }
    if (altered.isEmpty()) {
      return ended(Result.FAILED, exit);
    }
    String also = InputIntegrity.alteredText(altered, byAnother);
    return ended(byAnother ? Result.INFRASTRUCTURE : Result.FAILED, exit + "; also, " + also);
  }

  private TaskReport report(Result result, String message, List<String> lost) {
    return new TaskReport(
        order.task(),
        order.attempt(),
        result,
        exitCode,
        message,
        result == Result.SUCCEEDED ? printed() : logs.outputTail(),
        lost,
        order.join() ? joined : outputs,
        usage(),
        inputs,
        effort);
  }

  /** The ApplicationMaster keeps the output of a single job, whose client waits for it. */
  private String printed() {
    boolean isSingle = ScopedId.graph(order.task()).isEmpty() && !order.standIn() && !order.join();
    return isSingle ? logs.stdoutUpTo(MAX_JOB_OUTPUT) : "";
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
        fetched.cachedBytes(),
        means.store().cachedBytes(),
        means.host().freeBytes());
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
