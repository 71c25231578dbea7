package dev.weir.cli.gather;

import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.hdfs.gather.Gather;
import dev.weir.hdfs.gather.GatherSpec;
import dev.weir.hints.Quantities;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir gather begin}. */
@Command(
    name = "begin",
    description = {
      "Begins to gather a file and prints the gather's path, which the other steps take.",
      "Every region has the same size; the last one may be shorter."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  gather=$(weir gather begin /data/all.dat --region 64m --regions 8)",
      "",
      GatherStep.CODES
    })
final class BeginGather extends GatherStep {
  @Parameters(paramLabel = "TARGET", description = "The file to come.")
  private String target;

  @Option(
      names = "--region",
      paramLabel = "SIZE",
      required = true,
      description = "Bytes of a region; k, m, g and t are powers of 1024.")
  private String region;

  @Option(
      names = "--regions",
      paramLabel = "N",
      description = "How many there are, 10,000 at most (default: the commit says it).")
  private int regions = GatherSpec.UNKNOWN;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description = "Replication of the file (default: that of its path, by hint or stock).")
  private int replication = GatherSpec.STOCK;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description =
          "Block size of the file (default: the largest up to that of its path of which a region"
              + " is a whole number).")
  private @Nullable String blockSize;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description = "How long it may take, such as 12h (default: 1d).")
  private Duration lifetime = GatherSpec.DEFAULT_LIFETIME;

  @Override
  void run() throws IOException {
    GatherSpec spec =
        new GatherSpec(
            Quantities.bytes(region),
            regions,
            replication,
            blockSize == null ? GatherSpec.STOCK : Quantities.bytes(blockSize),
            lifetime);
    Gather gather = gathers(target).begin(new Path(target), spec);
    String path = gather.path().toString();
    tell(path, object().put("gather", path).put("target", gather.target().toString()));
  }
}
