package dev.weir.workflow.fetch;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.text.ErrorMessages;
import dev.weir.workflow.text.RedactedUrl;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the tasks that fetch inputs of a workflow, before it is submitted: finds errors early,
 * drops what need not be fetched, and takes secrets out of URLs.
 */
public final class SourceResolver {

  private static final int SHOWN = 5;
  private static final String SECRET = "WEIR_SOURCE_";

  private final FileSystem fs;
  private final String dataDir;
  private final @Nullable Path uploadDir;
  private final int transfers;
  private final Fetcher fetcher = new Fetcher(TaskSecrets.NONE);

  /** Servers that did not answer. They are not asked again, because each question takes long. */
  private final Set<String> silent = ConcurrentHashMap.newKeySet();

  public SourceResolver(FileSystem fs, String dataDir, @Nullable Path uploadDir, int transfers) {
    this.fs = fs;
    this.dataDir = dataDir;
    this.uploadDir = uploadDir;
    this.transfers = transfers;
  }

  /**
   * A prepared workflow.
   *
   * @param workflow with the tasks that fetch what must be fetched; their URLs have no secrets
   * @param secrets the URLs with secret parts, by the name of the secret
   * @param local local files that are inputs, by file id
   */
  public record Resolved(Workflow workflow, Map<String, String> secrets, Map<String, Path> local) {}

  /** How a file gets into the run. */
  private sealed interface Fate {
    /** HDFS or the directory of uploads has the file. */
    record Present() implements Fate {}

    /** The file is on this machine. */
    record Local(Path file) implements Fate {}

    /** A task fetches the file. */
    record Fetched(FetchCommand source, long bytes) implements Fate {}

    /** The file cannot be fetched. */
    record Missing(String problem) implements Fate {}
  }

  /**
   * Prepares a workflow.
   *
   * @throws RunException if files are missing at their sources; the message names file, URL and
   *     task
   */
  public Resolved resolve(Workflow workflow) throws IOException, InterruptedException {
    Map<Task, FetchCommand> sources = new LinkedHashMap<>();
    for (Task task : workflow.tasks()) {
      Optional<FetchCommand> source = FetchCommand.of(task.command());
      if (source.isPresent()) {
        if (task.outputs().size() != 1 || !task.inputs().isEmpty()) {
          throw new RunException(
              "The task '"
                  + task.id()
                  + "' with the command "
                  + FetchCommand.PROGRAM
                  + " must have one output and no input: correct it, or give its file a source");
        }
        sources.put(task, source.get());
      }
    }
    return sources.isEmpty()
        ? new Resolved(workflow, Map.of(), Map.of())
        : resolved(workflow, fates(sources));
  }

  /** Returns a workflow whose sources are not read. Its URLs have no secrets. */
  public static Resolved unread(Workflow workflow) {
    List<Task> tasks = new ArrayList<>();
    for (Task task : workflow.tasks()) {
      tasks.add(
          FetchCommand.of(task.command())
              .map(source -> new FetchCommand(source.redactedUrl(), source.checksum()).words())
              .map(
                  words ->
                      new Task(
                          task.id(),
                          task.type(),
                          words,
                          task.inputs(),
                          task.outputs(),
                          task.after(),
                          task.runtimeSeconds(),
                          task.needs()))
              .orElse(task));
    }
    return new Resolved(new Workflow(workflow.name(), tasks, workflow.files()), Map.of(), Map.of());
  }

  private Map<Task, Fate> fates(Map<Task, FetchCommand> sources)
      throws IOException, InterruptedException {
    List<Callable<Fate>> checks = new ArrayList<>();
    sources.forEach((task, source) -> checks.add(() -> fate(task.outputs().get(0), source)));
    Map<Task, Fate> fates = new LinkedHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(transfers, checks.size()));
    try {
      List<Future<Fate>> found = pool.invokeAll(checks);
      int next = 0;
      for (Task task : sources.keySet()) {
        fates.put(task, found.get(next++).get());
      }
      return fates;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Fate fate(String file, FetchCommand source) throws IOException, InterruptedException {
    if (uploadDir != null && Files.isRegularFile(uploadDir.resolve(file))) {
      return new Fate.Present();
    }
    Optional<FileStatus> copy = copy(file);
    if (source.scheme().equals("file")) {
      Path local = Path.of(URI.create(source.url()));
      if (Files.isReadable(local) && Files.isRegularFile(local)) {
        return new Fate.Local(local);
      }
      return copy.isPresent()
          ? new Fate.Present()
          : new Fate.Missing("there is no such file that you may read on this machine");
    }
    if (!source.secret().isEmpty()) {
      // The plan of an earlier run has no secrets.
      return copy.isPresent() ? new Fate.Present() : new Fate.Fetched(source, RemoteStatus.UNKNOWN);
    }
    String server = source.scheme() + "://" + URI.create(source.url()).getRawAuthority();
    if (silent.contains(server)) {
      return new Fate.Fetched(source, RemoteStatus.UNKNOWN);
    }
    RemoteStatus status;
    try {
      status = fetcher.status(source);
    } catch (FetchException e) {
      return e.result() == Result.REFUSED && isDefinite(source)
          ? new Fate.Missing(ErrorMessages.firstLine(e))
          : new Fate.Fetched(source, RemoteStatus.UNKNOWN);
    } catch (IOException e) {
      // The nodes may reach a server that this machine does not reach.
      silent.add(server);
      return new Fate.Fetched(source, RemoteStatus.UNKNOWN);
    }
    if (copy.isPresent()
        && status.isCurrent(copy.get().getLen(), copy.get().getModificationTime())) {
      return new Fate.Present();
    }
    return new Fate.Fetched(
        new FetchCommand(source.url(), source.checksum(), status.version(), ""), status.bytes());
  }

  /** The nodes may have connectors and credentials of Hadoop that this machine lacks. */
  private static boolean isDefinite(FetchCommand source) {
    return Set.of("http", "https", "ftp").contains(source.scheme());
  }

  private Optional<FileStatus> copy(String file) throws IOException {
    try {
      FileStatus found =
          fs.getFileStatus(
              new org.apache.hadoop.fs.Path(null, null, FileIds.pathIn(dataDir, file)));
      return found.isFile() ? Optional.of(found) : Optional.empty();
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private Resolved resolved(Workflow workflow, Map<Task, Fate> fates) throws RunException {
    requireFound(workflow, fates);
    Map<String, String> secrets = new HashMap<>();
    Map<String, Path> local = new HashMap<>();
    Map<String, DataFile> files = new LinkedHashMap<>(workflow.files());
    Map<String, String> after = after(fates);
    List<Task> tasks = new ArrayList<>();
    Set<String> dropped = new HashSet<>();
    fates.forEach(
        (task, fate) -> {
          if (!(fate instanceof Fate.Fetched)) {
            dropped.add(task.id());
          }
        });
    for (Task task : workflow.tasks()) {
      Fate fate = fates.get(task);
      if (fate instanceof Fate.Local found) {
        local.put(task.outputs().get(0), found.file());
      } else if (fate instanceof Fate.Fetched fetched) {
        String file = task.outputs().get(0);
        tasks.add(
            with(task, publicSource(fetched.source(), secrets).words(), after.get(task.id())));
        if (fetched.bytes() >= 0) {
          files.computeIfPresent(file, (id, old) -> new DataFile(id, fetched.bytes(), old.hint()));
        }
      } else if (fate == null) {
        tasks.add(without(task, dropped));
      }
    }
    return new Resolved(new Workflow(workflow.name(), tasks, files), secrets, local);
  }

  private static FetchCommand publicSource(FetchCommand source, Map<String, String> secrets) {
    if (!RedactedUrl.hasSecret(source.url())) {
      return source;
    }
    String name = SECRET + (secrets.size() + 1);
    secrets.put(name, source.url());
    boolean isKnown = !source.version().isEmpty() || !source.checksum().isEmpty();
    // Without its query, the command of another file may be the same: none is reused for it.
    String version = isKnown ? source.version() : UUID.randomUUID().toString();
    return new FetchCommand(source.redactedUrl(), source.checksum(), version, name);
  }

  private static Task with(Task task, List<String> command, @Nullable String after) {
    return new Task(
        task.id(),
        task.type(),
        command,
        task.inputs(),
        task.outputs(),
        after == null ? List.of() : List.of(after),
        task.runtimeSeconds(),
        task.needs());
  }

  private static Task without(Task task, Set<String> dropped) {
    if (task.after().stream().noneMatch(dropped::contains)) {
      return task;
    }
    return new Task(
        task.id(),
        task.type(),
        task.command(),
        task.inputs(),
        task.outputs(),
        task.after().stream().filter(id -> !dropped.contains(id)).toList(),
        task.runtimeSeconds(),
        task.needs(),
        task.regions());
  }

  /**
   * Returns the predecessor of each fetch. The fetches form as many chains as transfers are
   * permitted at a time, each of about the same bytes.
   */
  private Map<String, String> after(Map<Task, Fate> fates) {
    record Chain(long bytes, int length, String last) {}
    record Fetch(String task, long bytes) {}
    List<Fetch> fetches = new ArrayList<>();
    fates.forEach(
        (task, fate) -> {
          if (fate instanceof Fate.Fetched fetched) {
            fetches.add(new Fetch(task.id(), Math.max(0, fetched.bytes())));
          }
        });
    fetches.sort(Comparator.comparingLong(Fetch::bytes).reversed());
    PriorityQueue<Chain> chains =
        new PriorityQueue<>(Comparator.comparingLong(Chain::bytes).thenComparing(Chain::length));
    Map<String, String> after = new HashMap<>();
    for (Fetch fetch : fetches) {
      Chain shortest = chains.size() < transfers ? new Chain(0, 0, "") : chains.remove();
      if (!shortest.last().isEmpty()) {
        after.put(fetch.task(), shortest.last());
      }
      chains.add(new Chain(shortest.bytes() + fetch.bytes(), shortest.length() + 1, fetch.task()));
    }
    return after;
  }

  private static void requireFound(Workflow workflow, Map<Task, Fate> fates) throws RunException {
    List<String> missing = new ArrayList<>();
    fates.forEach(
        (task, fate) -> {
          if (fate instanceof Fate.Missing found) {
            missing.add(line(workflow, task, found.problem()));
          }
        });
    if (missing.isEmpty()) {
      return;
    }
    String more = missing.size() > SHOWN ? "\n  and " + (missing.size() - SHOWN) + " more" : "";
    throw new RunException(
        "The workflow '"
            + workflow.name()
            + "' cannot start: "
            + missing.size()
            + (missing.size() == 1 ? " input" : " inputs")
            + " cannot be fetched:"
            + String.join("", missing.subList(0, Math.min(SHOWN, missing.size())))
            + more
            + "\nCorrect the workflow, or put the files into a local directory and give it with"
            + " --upload.");
  }

  private static String line(Workflow workflow, Task fetch, String problem) {
    String file = fetch.outputs().get(0);
    String reader =
        workflow.tasks().stream()
            .filter(task -> task.inputs().contains(file))
            .map(task -> " (read by task '" + task.id() + "')")
            .findFirst()
            .orElse("");
    String url = FetchCommand.of(fetch.command()).map(FetchCommand::redactedUrl).orElse("");
    return "\n  '" + file + "' from " + url + reader + ": " + problem;
  }
}
