package dev.weir.cli.steer;

import static java.util.stream.Collectors.joining;

import dev.weir.cli.common.ExitCode;
import dev.weir.cli.run.ResultsText;
import dev.weir.hints.Suggestion;
import dev.weir.workflow.client.KnownRun;
import dev.weir.workflow.client.RunResults;
import dev.weir.workflow.client.RunResults.Found;
import dev.weir.workflow.client.Runs;
import dev.weir.workflow.client.SteeringException;
import dev.weir.workflow.client.SteeringException.Kind;
import dev.weir.workflow.text.Glob;
import dev.weir.workflow.text.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "get",
    description = {
      "Copies files of a run to a local directory.",
      "Without GLOB it copies the results: outputs that no task reads, and that the workflow",
      "does not mark as temporary."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "",
    footer = {
      "",
      "Example:",
      "  weir get last mosaic",
      "  weir get last '*.fits' mosaic",
      "",
      RunsBase.CODES
    })
public final class GetCommand extends RunsBase {
  private static final int MOST = 2;
  private static final int SHOWN = 5;

  @Parameters(index = "0", paramLabel = "RUN", description = RUN)
  private String name;

  @Parameters(
      index = "1..*",
      arity = "1..2",
      paramLabel = "[GLOB] DIR",
      description = "Names of files of the workflow, with * and ?, and the local directory.")
  private List<String> rest;

  @Override
  void requireUsable() {
    if (rest.size() > MOST) {
      throw unusable("Give RUN, one GLOB and DIR; quote a GLOB with * and ?");
    }
  }

  @Override
  int run(Runs runs) throws IOException {
    KnownRun run = runs.find(name);
    RunResults files = run.results();
    boolean all = rest.size() < MOST;
    Found found = all ? files.results() : files.matching(new Glob(rest.get(0)));
    if (found.present().isEmpty() && found.missing().isEmpty()) {
      throw new SteeringException(
          Kind.NOT_FOUND, noFiles(run.id().toString(), all ? "" : rest.get(0), files.names()));
    }
    Path local = Path.of(rest.get(rest.size() - 1));
    files.download(found, local);
    if (!found.present().isEmpty()) {
      out().println(ResultsText.count(found) + " copied to " + local.toAbsolutePath().normalize());
    }
    if (found.missing().isEmpty()) {
      return ExitCode.DONE;
    }
    throw new SteeringException(
        Kind.NOT_FOUND,
        (found.missing().size() == 1 ? "1 file is" : found.missing().size() + " files are")
            + " not in HDFS, such as "
            + PrintableText.of(found.missing().get(0))
            + ": "
            + run.whyMissing());
  }

  /** Returns why a run has no files to copy, and what to give instead. */
  static String noFiles(String run, String glob, Set<String> names) {
    if (glob.isEmpty()) {
      return "The workflow of " + run + " has no results: give a GLOB for other files of it";
    }
    String question = Suggestion.question(glob, names);
    return "The workflow of "
        + run
        + " has no file '"
        + PrintableText.of(glob)
        + "'"
        + (question.isEmpty() ? ": it has " + some(names) : question);
  }

  private static String some(Set<String> names) {
    return names.stream().sorted().limit(SHOWN).map(PrintableText::of).collect(joining(", "))
        + (names.size() > SHOWN ? ", ..." : "");
  }
}
