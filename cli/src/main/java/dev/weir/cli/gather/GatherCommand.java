package dev.weir.cli.gather;

import dev.weir.cli.common.Sizes;
import dev.weir.hdfs.gather.CommitOptions;
import dev.weir.hdfs.gather.CommittedGather;
import dev.weir.hdfs.gather.Gather;
import dev.weir.hdfs.gather.GatherException;
import dev.weir.hdfs.gather.GatherSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir gather}: the commands for files that many write at once. */
@Command(
    name = "gather",
    description = {
      "Lets many processes write regions of one HDFS file at the same time, each on its node.",
      "The regions become the file without being copied. No part of the file is visible before."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = BeginGather.class,
    footer = {
      "",
      "Example:",
      "  gather=$(weir gather begin /data/all.dat --region 64m --regions 8)",
      "  weir gather write \"$gather\" 3 part3.dat       # on whatever node has it",
      "  weir gather commit \"$gather\"",
      "",
      GatherStep.CODES
    })
public final class GatherCommand {
  private static final String GATHER = "Path that 'weir gather begin' has printed.";

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
  int write(
      @Parameters(paramLabel = "GATHER", description = GATHER) String path,
      @Parameters(paramLabel = "REGION", description = "Number of the region, from 0.") int region,
      @Parameters(
              paramLabel = "FILE",
              arity = "0..1",
              defaultValue = "-",
              description = "File with the bytes (default: -, standard input).")
          String file,
      @Mixin GatherStep step)
      throws IOException {
    return step.run(
        () -> {
          Gather gather = step.gathers(path).open(new Path(path));
          boolean isFirst;
          // Standard input is not closed.
          if (file.equals("-")) {
            isFirst = write(gather, region, System.in);
          } else {
            try (InputStream in = Files.newInputStream(java.nio.file.Path.of(file))) {
              isFirst = write(gather, region, in);
            }
          }
          step.tell(
              "region "
                  + region
                  + " of "
                  + gather.target()
                  + (isFirst ? " is written" : " is there already, by another attempt"),
              GatherStep.object().put("region", region).put("counts", isFirst));
        });
  }

  private static boolean write(Gather gather, int region, InputStream in) throws IOException {
    try {
      return gather.write(region, in);
    } catch (GatherException e) {
      if (e.problem() == GatherException.Problem.COMPLETE) {
        return false;
      }
      throw e;
    }
  }

  @Command(
      name = "commit",
      description = {
        "Turns the regions of a gather into the file, atomically and without copying.",
        "It fails while a region is missing, being written or of the wrong size, and"
            + " can be repeated."
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Example:",
        "  weir gather commit \"$gather\" --regions 8",
        "",
        GatherStep.CODES
      })
  int commit(
      @Parameters(paramLabel = "GATHER", description = GATHER) String path,
      @Option(
              names = "--regions",
              paramLabel = "N",
              description = "Expected number of regions; needed if it was not given to 'begin'.")
          @Nullable Integer regions,
      @Option(names = "--replace", description = "Replace an existing file.") boolean replace,
      @Mixin GatherStep step)
      throws IOException {
    return step.run(
        () -> {
          CommitOptions options =
              new CommitOptions(regions == null ? GatherSpec.UNKNOWN : regions, replace);
          CommittedGather done = step.gathers(path).open(new Path(path)).commit(options);
          step.tell(
              done.target()
                  + (done.wasBefore() ? " was committed before, " : " is there, ")
                  + Sizes.of(done.bytes()),
              GatherStep.object()
                  .put("target", done.target().toString())
                  .put("bytes", done.bytes())
                  .put("was-before", done.wasBefore()));
        });
  }

  @Command(
      name = "abort",
      description = "Deletes the regions of a gather. A committed file is not deleted.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir gather abort \"$gather\"", "", GatherStep.CODES})
  int abort(
      @Parameters(paramLabel = "GATHER", description = GATHER) String path, @Mixin GatherStep step)
      throws IOException {
    return step.run(
        () -> {
          Gather gather = step.gathers(path).open(new Path(path));
          boolean isRemoved = gather.abort();
          step.tell(
              isRemoved
                  ? "the gather of " + gather.target() + " is removed"
                  : "there is nothing to abort of " + path,
              GatherStep.object().put("removed", isRemoved));
        });
  }

  @Command(
      name = "sweep",
      description = {
        "Deletes expired gathers for files of the given directories, as far as you have"
            + " permission.",
        "'begin' and 'commit' in a directory do the same."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir gather sweep /data /results", "", GatherStep.CODES})
  int sweep(
      @Parameters(arity = "1..*", paramLabel = "DIRECTORY", description = "Directory of the files.")
          List<String> directories,
      @Mixin GatherStep step)
      throws IOException {
    return step.run(
        () -> {
          int removed = 0;
          for (String directory : directories) {
            removed += step.gathers(directory).sweep(new Path(directory));
          }
          step.tell(
              removed == 1 ? "1 gather is removed" : removed + " gathers are removed",
              GatherStep.object().put("removed", removed));
        });
  }
}
