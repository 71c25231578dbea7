package dev.weir.bench.comparison;

import dev.weir.hdfs.WeirFileSystem;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.Fetching;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.LinkSpeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/**
 * What follows from a workflow for whoever writes the files that it starts from, as 'weir hints
 * infer --set' tells it: how many replicas those get that many tasks read.
 */
public final class InputHints {
  private InputHints() {}

  /**
   * Has clients of a configuration write by the hints.
   *
   * @param conf of the cluster; receives where they are
   * @param directory the workflow's, in HDFS
   * @param shape the cluster, whose links are as fast as {@code conf} says
   * @param file local; is written, and has to stay as long as the clients do
   * @throws IOException when it cannot be written
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
                    workflow, directory, shape.with(new Fetching(LinkSpeed.of(conf), true)))
                .stream()
                .map(InferredHint::rule)
                .toList());
    Files.writeString(file, HintCodec.toJson(hints));
    conf.set(WeirFileSystem.FILE_KEY, file.toAbsolutePath().toString());
    conf.set(WeirFileSystem.PATIENCE_KEY, "5s");
  }
}
