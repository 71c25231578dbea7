package dev.weir.cli.gather;

import dev.weir.hdfs.gather.Gather;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "abort",
    description = "Deletes the regions of a gather. A committed file is not deleted.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir gather abort \"$gather\"", "", GatherStep.CODES})
final class AbortGather extends GatherStep {
  @Parameters(paramLabel = "GATHER", description = "Path that 'weir gather begin' has printed.")
  private String path;

  @Override
  void run() throws IOException {
    Gather gather = gathers(path).open(new Path(path));
    boolean isRemoved = gather.abort();
    tell(
        isRemoved
            ? "the gather of " + gather.target() + " is removed"
            : "there is nothing to abort of " + path,
        object().put("removed", isRemoved));
  }
}
