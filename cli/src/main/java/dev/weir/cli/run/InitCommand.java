package dev.weir.cli.run;

import dev.weir.cli.common.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir init}. */
@Command(
    name = "init",
    description = {
      "Writes a workflow of three tasks and its inputs, to try and to change.",
      "It is the workflow of the tutorial. Files that exist are not replaced."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir init words"})
public final class InitCommand implements Callable<Integer> {
  private static final List<String> FILES = List.of("words.mf", "texts/one.txt", "texts/two.txt");

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The directory, which is created (default: this one).")
  private Path directory;

  @Override
  public Integer call() throws IOException {
    for (String file : FILES) {
      if (Files.exists(directory.resolve(file))) {
        throw new FileAlreadyExistsException(directory.resolve(file).toString());
      }
    }
    for (String file : FILES) {
      Path target = directory.resolve(file);
      Files.createDirectories(Objects.requireNonNull(target.toAbsolutePath().getParent()));
      try (InputStream in =
          Objects.requireNonNull(InitCommand.class.getResourceAsStream("init/" + file), file)) {
        Files.copy(in, target);
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println("Wrote " + String.join(", ", FILES) + ". Next:");
    if (!directory.toString().equals(".")) {
      out.println("  cd " + directory);
    }
    out.println("  weir run words.mf --upload texts --download results");
    out.flush();
    return ExitCode.DONE;
  }
}
