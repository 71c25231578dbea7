package dev.weir.cli.gather;

import dev.weir.hdfs.gather.Gather;
import dev.weir.hdfs.gather.GatherException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "write",
    description = {
      "Writes a region of a gather on the node of this command.",
      "Several processes may write the same region; the first to finish counts. A"
          + " failed write leaves no data and can be repeated."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  sort part3.txt | weir gather write \"$gather\" 3",
      "",
      GatherStep.CODES
    })
final class WriteRegion extends GatherStep {
  private static final String STANDARD_INPUT = "-";

  @Parameters(
      index = "0",
      paramLabel = "GATHER",
      description = "Path that 'weir gather begin' has printed.")
  private String path;

  @Parameters(index = "1", paramLabel = "REGION", description = "Number of the region, from 0.")
  private int region;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "FILE",
      description = "File with the bytes (default: -, standard input).")
  private @Nullable String file;

  @Override
  void run() throws IOException {
    Gather gather = gathers(path).open(new org.apache.hadoop.fs.Path(path));
    boolean isFirst;
    try (InputStream in = content()) {
      isFirst = write(gather, in);
    }
    String words = "region " + region + " of " + gather.target();
    tell(
        words + (isFirst ? " is written" : " is there already, by another attempt"),
        object().put("region", region).put("counts", isFirst));
  }

  private boolean write(Gather gather, InputStream in) throws IOException {
    try {
      return gather.write(region, in);
    } catch (GatherException e) {
      if (e.problem() == GatherException.Problem.COMPLETE) {
        return false;
      }
      throw e;
    }
  }

  /** Standard input is not closed. */
  private InputStream content() throws IOException {
    return file == null || file.equals(STANDARD_INPUT)
        ? System.in
        : Files.newInputStream(Path.of(file));
  }
}
