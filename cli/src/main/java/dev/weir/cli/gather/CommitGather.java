package dev.weir.cli.gather;

import dev.weir.cli.common.Sizes;
import dev.weir.hdfs.gather.CommitOptions;
import dev.weir.hdfs.gather.CommittedGather;
import dev.weir.hdfs.gather.GatherSpec;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "commit",
    description = {
      "Turns the regions of a gather into the file, atomically and without copying.",
      "It fails while a region is missing, being written or of the wrong size, and"
          + " can be repeated."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir gather commit \"$gather\" --regions 8", "", GatherStep.CODES})
final class CommitGather extends GatherStep {
  @Parameters(paramLabel = "GATHER", description = "Path that 'weir gather begin' has printed.")
  private String path;

  @Option(
      names = "--regions",
      paramLabel = "N",
      description = "Expected number of regions; needed if it was not given to 'begin'.")
  private int regions = GatherSpec.UNKNOWN;

  @Option(names = "--replace", description = "Replace an existing file.")
  private boolean replace;

  @Override
  void run() throws IOException {
    CommittedGather done =
        gathers(path).open(new Path(path)).commit(new CommitOptions(regions, replace));
    tell(
        done.target()
            + (done.wasBefore() ? " was committed before, " : " is there, ")
            + Sizes.of(done.bytes()),
        object()
            .put("target", done.target().toString())
            .put("bytes", done.bytes())
            .put("was-before", done.wasBefore()));
  }
}
