package dev.weir.bench.comparison;

import dev.weir.hdfs.WeirFileSystem;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * Sets the hints that a workflow implies for the writers of its inputs, as 'weir hints infer --set'
 * prints them. Inputs that many tasks read get more replicas.
 */
public final class InputHints {
  private InputHints() {}

  /**
   * Makes clients of a configuration follow the hints.
   *
   * @param conf of the cluster; receives the location of the hints
   * @param directory the workflow's directory in HDFS
   * @param shape the cluster, with the link rate of {@code conf}
   * @param file the local file for the hints; it must outlive the clients
   * @throws IOException if it cannot be written
   */
  public static void apply(
      Configuration conf, Workflow workflow, String directory, ClusterShape shape, Path file)
      throws IOException {
    HintSet hints =
        new HintSet(
            "stage-in",
            "bench",
            null,
            HintInference.infer(
                    workflow, directory, shape.with(new FetchModel(LinkSpeed.of(conf), true)))
                .stream()
                .map(InferredHint::rule)
                .toList());
    Files.writeString(file, HintCodec.toJson(hints));
    conf.set(WeirFileSystem.FILE_KEY, file.toAbsolutePath().toString());
  }
}
