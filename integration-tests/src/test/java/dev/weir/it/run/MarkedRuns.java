package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.it.ClusterExtension;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.TaskRecord;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs on the shared cluster whose tasks record their beginning and wait for marks. */
@ExtendWith(ClusterExtension.class)
abstract class MarkedRuns {

  @TempDir Path folder;
  LocalCluster cluster;
  ClusterRuns runs;
  Marks marks;
  private final String name;

  /**
   * Runs of a test class.
   *
   * @param name of the directory in HDFS for its files
   */
  MarkedRuns(String name) {
    this.name = name;
  }

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    runs = new ClusterRuns(shared, name);
    marks = new Marks(folder.resolve("marks"));
  }

  @AfterEach
  void close() throws Exception {
    runs.close();
  }

  /** YARN's report of a run. */
  ApplicationReport report(LiveRun run) throws Exception {
    return runs.report(run);
  }

  /** The nodes of the ApplicationMaster and of the running task {@code hold}. */
  Set<String> busyNodes(LiveRun run) throws Exception {
    Set<String> busy = new HashSet<>();
    String master = report(run).getHost();
    for (NodeInfo node : cluster.nodes()) {
      if (master.contains(node.address()) || master.equals(node.name())) {
        busy.add(node.name());
      }
    }
    assertThat(busy).as("node of the ApplicationMaster at " + master).hasSize(1);
    ProcessHandle worker = Processes.ancestor(marks.begun("hold").get(0).pid(), Processes.WORKER);
    busy.add(Processes.node(worker, cluster));
    return busy;
  }

  /** The tasks that a run has executed, not reused. */
  static Set<String> ran(RunRecord record) {
    return record.tasks().stream().map(TaskRecord::task).collect(Collectors.toSet());
  }

  /** The attempts of a task. */
  static List<TaskRecord> attempts(RunRecord record, String task) {
    return record.tasks().stream().filter(attempt -> attempt.task().equals(task)).toList();
  }

  /** The only node that has a file. */
  String onlyHost(String file) throws Exception {
    List<String> hosts = runs.files().hosts(file);
    assertThat(hosts).as(file).hasSize(1);
    return hosts.get(0);
  }
}
