package dev.weir.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs {@code weir run} with wrong options, which are refused before a cluster is contacted. */
public final class RefusedRun {

  private RefusedRun() {}

  /**
   * Runs a workflow of the two types {@code split} and {@code count}, the first of which makes
   * {@code left.txt} for the second, and checks that this is refused as wrong usage.
   *
   * @param directory for the workflow's file
   * @return the error output
   */
  public static String errorOf(Path directory, String... options) throws IOException {
    Path file = directory.resolve("flow.mf");
    Files.writeString(file, "left.txt: in.txt\n\tsplit\nleft.out: left.txt\n\tcount\n");
    List<String> words = new ArrayList<>(List.of("run", file.toString()));
    words.addAll(List.of(options));

    Ran ran = Ran.weir(words.toArray(new String[0]));

    assertThat(ran.code()).as(ran.err()).isEqualTo(CommandLine.ExitCode.USAGE);
    return ran.err();
  }
}
