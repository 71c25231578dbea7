package dev.weir.it.run;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.Distribution;
import dev.weir.it.HdfsFiles;
import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.client.SessionSubmitter;
import dev.weir.workflow.client.WorkflowRunner;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RunOptions;
import dev.weir.workflow.staging.WorkerPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/** Runs workflows on a cluster, with data below one directory in HDFS. */
final class ClusterRuns implements AutoCloseable {
  private final LocalCluster cluster;
  private final HdfsFiles files;
  private final Path root;

  ClusterRuns(LocalCluster cluster, String directory) throws IOException {
    this.cluster = cluster;
    this.files = new HdfsFiles(cluster);
    this.root = new Path("/run-it", directory);
  }

  LocalCluster cluster() {
    return cluster;
  }

  HdfsFiles files() {
    return files;
  }

  /** The absolute path in HDFS of a file of a run. */
  String path(String data, String file) {
    return new Path(new Path(root, data), file).toString();
  }

  /** Writes inputs from this machine, with the replication of the cluster. */
  void put(String data, Map<String, byte[]> inputs) throws IOException {
    for (Map.Entry<String, byte[]> input : inputs.entrySet()) {
      try (OutputStream out = files.fs().create(new Path(path(data, input.getKey())))) {
        out.write(input.getValue());
      }
    }
  }

  String text(String data, String file) throws IOException {
    try (InputStream in = files.fs().open(new Path(path(data, file)))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The length and the SHA-256 of each result of a workflow, by name. */
  SortedMap<String, String> results(Workflow workflow, String data) throws IOException {
    SortedMap<String, String> results = new TreeMap<>();
    for (DataFile result : workflow.graph().finalOutputs()) {
      results.put(result.id(), files.sum(path(data, result.id())));
    }
    return results;
  }

  /** The relative names of all files of a data directory; empty if it does not exist. */
  Set<String> names(String data) throws IOException {
    if (!files.fs().exists(new Path(root, data))) {
      return Set.of();
    }
    String directory = files.fs().resolvePath(new Path(root, data)).toUri().getPath() + "/";
    Set<String> names = new TreeSet<>();
    RemoteIterator<LocatedFileStatus> all = files.fs().listFiles(new Path(root, data), true);
    while (all.hasNext()) {
      names.add(all.next().getPath().toUri().getPath().substring(directory.length()));
    }
    return names;
  }

  /** Starts a run with a number of workers. */
  LiveRun start(Workflow workflow, Mode mode, String data, int workers) throws Exception {
    return start(workflow, mode, data, workers, RunOptions.DEFAULT.rerun());
  }

  /** Starts a run that reuses finished tasks of earlier runs except those to rerun. */
  LiveRun start(Workflow workflow, Mode mode, String data, int workers, String rerun)
      throws Exception {
    return start(workflow, mode, data, workers, RunOptions.DEFAULT.withRerun(rerun));
  }

  /** Starts a run with options. */
  LiveRun start(Workflow workflow, Mode mode, String data, int workers, RunOptions choices)
      throws Exception {
    return start(
        request(workflow, mode, data)
            .workers(WorkerPlan.DEFAULT.withCount(workers))
            .choices(choices)
            .build());
  }

  /** Starts a run with a worker plan. */
  LiveRun start(Workflow workflow, Mode mode, String data, WorkerPlan workers) throws Exception {
    return start(request(workflow, mode, data).workers(workers).build());
  }

  /** Creates a request for a run with stand-ins instead of programs. */
  RunRequest standIns(Workflow workflow, String data, int workers) {
    return request(workflow, Mode.WEIR, data)
        .workers(WorkerPlan.DEFAULT.withCount(workers))
        .standIn(true)
        .build();
  }

  private RunRequest.Builder request(Workflow workflow, Mode mode, String data) {
    return RunRequest.builder(workflow, path(data, ".")).mode(mode);
  }

  LiveRun start(RunRequest request) throws Exception {
    return new LiveRun(new WorkflowRunner(cluster.configuration(), runnerJars()).submit(request));
  }

  /** Starts a run in a running session, by its id. */
  LiveRun startIn(String session, Workflow workflow, String data) throws Exception {
    RunRequest request =
        request(workflow, Mode.WEIR, data).choices(RunOptions.DEFAULT.withRerun("none")).build();
    try (SessionSubmitter submitter = SessionSubmitter.open(cluster.configuration(), session)) {
      return new LiveRun(submitter.submit(request, run -> {}));
    }
  }

  /** YARN's report of a run. */
  ApplicationReport report(LiveRun run) throws IOException, YarnException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster.configuration());
      yarn.start();
      return yarn.getApplicationReport(ApplicationId.fromString(run.id()));
    }
  }

  static List<java.nio.file.Path> runnerJars() throws IOException {
    Distribution distribution = Distribution.built();
    try (Stream<java.nio.file.Path> lib = Files.list(distribution.home().resolve("lib"))) {
      return Stream.concat(lib, distribution.plugins().stream())
          .filter(
              jar ->
                  jar.getFileName().toString().startsWith("weir-workflow-model-")
                      || jar.getFileName().toString().startsWith("weir-workflow-runner-")
                      || jar.getFileName().toString().startsWith("weir-hints-api-"))
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    files.fs().delete(root, true);
    files.fs().close();
  }
}
