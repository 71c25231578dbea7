package dev.weir.service.locate;

import dev.weir.service.access.CallerFileSystems;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.locate.nodes.ClusterNodes;
import dev.weir.service.locate.nodes.DataNode;
import dev.weir.service.locate.nodes.DataNodes;
import dev.weir.service.part.ProblemException;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.model.WorkflowException;
import dev.weir.workflow.wfformat.WfFormatReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;

/** The hints that a workflow's graph implies. */
public final class Inference {
  private static final String SOURCE = "body";

  private final CallerFileSystems callers;
  private final DataNodes dataNodes;
  private final long bytesPerSecond;

  /**
   * Creates an inference that reads from the cluster what a request omits.
   *
   * @param bytesPerSecond the rate of a node's link, at least 1
   */
  public Inference(CallerFileSystems callers, DataNodes dataNodes, long bytesPerSecond) {
    this.callers = callers;
    this.dataNodes = dataNodes;
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Infers hints for engines whose tasks read their inputs from HDFS each time.
   *
   * @param workflow a file in WfFormat
   * @param nodes the number of nodes that store data and run tasks; 0 for the DataNodes in service
   * @param replication the default replication; 0 for that of HDFS
   * @throws ProblemException if the file is not a workflow, or the cluster is not known
   */
  public List<InferredHint> infer(byte[] workflow, FilePath directory, int nodes, int replication)
      throws IOException {
    try {
      ClusterShape shape =
          new ClusterShape(
              nodes > 0 ? nodes : nodes(directory),
              replication > 0 ? replication : replication(directory),
              nodes > 0 ? ClusterShape.UNBOUNDED : freeBytes(directory),
              nodes > 0 ? 0 : memoryBytes(directory),
              new FetchModel(bytesPerSecond, false));
      return HintInference.infer(
          new WfFormatReader().read(workflow, SOURCE), directory.path(), shape);
    } catch (WorkflowException e) {
      String place = e.place().startsWith("/") ? e.place() : "";
      throw ProblemException.invalid(place, String.valueOf(e.getMessage())).because(e);
    }
  }

  private int nodes(FilePath directory) throws IOException {
    ClusterNodes cluster = dataNodes.of(directory.authority());
    int able = (int) inService(cluster).count();
    if (able == 0) {
      throw ProblemException.invalid(
          "nodes",
          "the number of nodes is not known here ("
              + (cluster.isKnown() ? "no DataNode is in service" : cluster.unknown())
              + "); add nodes= to the query");
    }
    return able;
  }

  private static Stream<DataNode> inService(ClusterNodes cluster) {
    return cluster.live().stream().filter(node -> node.state() == DataNode.State.IN_SERVICE);
  }

  private long memoryBytes(FilePath directory) throws IOException {
    return inService(dataNodes.of(directory.authority())).mapToLong(DataNode::memory).sum();
  }

  private long freeBytes(FilePath directory) throws IOException {
    return callers.call(
        callers.self(),
        directory.authority(),
        files -> Math.max(0, files.getStatus(new Path(directory.path())).getRemaining()));
  }

  private int replication(FilePath directory) throws IOException {
    return callers.call(
        callers.self(),
        directory.authority(),
        files -> (int) files.getDefaultReplication(new Path(directory.path())));
  }
}
