package dev.weir.cli.gather;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "sweep",
    description = {
      "Deletes expired gathers for files of the given directories, as far as you have"
          + " permission.",
      "'begin' and 'commit' in a directory do the same."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir gather sweep /data /results", "", GatherStep.CODES})
final class SweepGathers extends GatherStep {
  @Parameters(arity = "1..*", paramLabel = "DIRECTORY", description = "Directory of the files.")
  private List<String> directories;

  @Override
  void run() throws IOException {
    int removed = 0;
    for (String directory : directories) {
      removed += gathers(directory).sweep(new Path(directory));
    }
    tell(
        removed == 1 ? "1 gather is removed" : removed + " gathers are removed",
        object().put("removed", removed));
  }
}
