package dev.weir.bench.patterns;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir bench figures}. */
@Command(
    name = "figures",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the tables and images of a page of the docs from the results of series. Runs nothing.",
      "Each DIR/NAME.csv is the patterns.csv of a series. Its table is written to"
          + " DIR/../benchmarks.md between the lines <!-- series NAME --> and <!-- end -->, its"
          + " image to DIR/../images/NAME.svg."
    },
    footer = {"", "Examples:", "  weir bench figures", "  weir bench figures --check"})
public final class FiguresCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      defaultValue = "docs/series",
      description = "Directory of the CSV files (default: ${DEFAULT-VALUE}).")
  private Path series;

  @Option(
      names = "--check",
      description = "Write nothing. Exit code 1: a file is not what the command would write.")
  private boolean check;

  @Override
  public Integer call() throws IOException {
    PrintWriter console = spec.commandLine().getErr();
    int code = 0;
    for (Map.Entry<Path, String> file : SeriesFigures.files(series).entrySet()) {
      Path path = file.getKey();
      if (Files.exists(path) && Files.readString(path).equals(file.getValue())) {
        continue;
      }
      if (check) {
        console.println(path + " is not what the series give: run weir bench figures");
        code = 1;
      } else {
        FileUtils.writeStringToFile(path.toFile(), file.getValue(), StandardCharsets.UTF_8);
        console.println(path + " is written");
      }
    }
    return code;
  }
}
