package dev.weir.bench;

import dev.weir.bench.blast.BlastCommand;
import dev.weir.bench.clouds.CloudsCommand;
import dev.weir.bench.confuga.ConfugaCommand;
import dev.weir.bench.griddb.GridDbCommand;
import dev.weir.bench.morph.MorphCommand;
import dev.weir.bench.mosaic.MontageCommand;
import dev.weir.bench.patterns.PatternsCommand;
import dev.weir.bench.traces.TracesCommand;
import dev.weir.bench.wow.WowCommand;
import dev.weir.cli.common.Failures;
import dev.weir.cli.common.SectionedHelp;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The experiments that a user starts: {@code weir bench}. */
@Command(
    name = BenchCommand.NAME,
    mixinStandardHelpOptions = true,
    description = {
      "Compares stock Hadoop with Weir on a cluster of this machine, by whole workflows."
          + " Writes tables, a page with plots and the record of every run.",
      "Needs a checkout, root, and what the help of each experiment says; 19 nodes need 10 GB of"
          + " memory."
    },
    subcommands = {
      PatternsCommand.class,
      TracesCommand.class,
      MontageCommand.class,
      BlastCommand.class,
      WowCommand.class,
      ConfugaCommand.class,
      CloudsCommand.class,
      MorphCommand.class,
      GridDbCommand.class,
      HelpCommand.class
    },
    footer = {
      "",
      "Benchmarks of single parts are started by benchmarks/run; its first lines list them.",
      "",
      "Examples:",
      "  weir bench patterns --help",
      "  weir bench patterns --nodes 4 --patterns reduce --sizes medium --repeat 1"
    })
public final class BenchCommand implements Runnable {
  static final String NAME = "weir bench";
  private static final int FAILED = 1;

  /** The exit code for refused options, as picocli has it. */
  private static final int REFUSED = 2;

  @Mixin(name = Failures.MIXIN)
  private Failures failures;

  @Spec private @Nullable CommandSpec spec;

  private BenchCommand() {}

  /** Runs the command with its arguments. */
  public static void main(String[] args) {
    // Hadoop's clients leave threads behind.
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    BenchCommand bench = new BenchCommand();
    return new CommandLine(bench)
        .setHelpFactory(SectionedHelp::new)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler((failure, command, parsed) -> bench.report(failure, command));
  }

  private int report(Exception failure, CommandLine command) {
    failures.tell(NAME, failure, command.getErr());
    return failure instanceof IllegalArgumentException ? REFUSED : FAILED;
  }

  /** Runs without an experiment. */
  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "No experiment is given: name one of those below");
  }
}
