package dev.weir.cli.gather;

import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.hdfs.gather.Gather;
import dev.weir.hdfs.gather.GatherSpec;
import dev.weir.hints.Quantities;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "begin",
    description = {
      "Begins a gather and prints its path, which is the argument of the other commands.",
      "All regions have the same size; the last one may be shorter."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  gather=$(weir gather begin /data/all.dat --region 64m --regions 8)",
      "",
      GatherStep.CODES
    })
final class BeginGather implements Callable<Integer> {
  @Parameters(paramLabel = "TARGET", description = "Path of the file.")
  private String target;

  @Option(
      names = "--region",
      paramLabel = "SIZE",
      required = true,
      description = "Size of a region in bytes; k, m, g and t are powers of 1024.")
  private String region;

  @Option(
      names = "--regions",
      paramLabel = "N",
      description = "Number of regions, at most 10,000 (default: as given to 'commit').")
  private int regions = GatherSpec.UNKNOWN;

  @Option(
      names = "--replication",
      paramLabel = "N",
      description =
          "Replication of the file (default: by the hint of its path, else dfs.replication).")
  private int replication = GatherSpec.STOCK;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      description =
          "Block size of the file (default: the largest divisor of --region up to the"
              + " block size of its path).")
  private @Nullable String blockSize;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description = "Time until the gather expires, such as 12h (default: ${DEFAULT-VALUE}).")
  private Duration lifetime = GatherSpec.DEFAULT_LIFETIME;

  @Mixin private GatherStep step;

  @Override
  public Integer call() throws IOException {
    return step.run(this::begin);
  }

  private void begin() throws IOException {
    GatherSpec spec =
        new GatherSpec(
            Quantities.bytes(region),
            regions,
            replication,
            blockSize == null ? GatherSpec.STOCK : Quantities.bytes(blockSize),
            lifetime);
    Gather gather = step.gathers(target).begin(new Path(target), spec);
    String path = gather.path().toString();
    step.tell(
        path, GatherStep.object().put("gather", path).put("target", gather.target().toString()));
  }
}
