package dev.weir.cli.steer;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.workflow.client.Runs;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command about runs that were started before, from this machine or another. */
abstract class RunsBase implements Callable<Integer> {
  /** What every help page says of exit codes. */
  static final String CODES =
      "Exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 no answer.";

  /** What every help page says of naming runs. */
  static final String RUN =
      "The run: its id, the beginning of it, the number at its end, or 'last'.";

  /** What every help page says of naming tasks. */
  static final String TASKS =
      "Only tasks whose id or type this matches, with * and ? (default: the whole run).";

  @Spec private CommandSpec spec;
  @Mixin private ClientConfiguration cluster;

  @Override
  public final Integer call() throws IOException, InterruptedException {
    requireUsable();
    try (Runs runs = Runs.on(cluster.load())) {
      return run(runs);
    } finally {
      out().flush();
    }
  }

  /**
   * Looks at the arguments before anybody is asked.
   *
   * @throws ParameterException when they cannot be meant so
   */
  void requireUsable() {}

  /** An argument that cannot be meant so. */
  final ParameterException unusable(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  /** How to reach the cluster. */
  final Configuration configuration() throws IOException {
    return cluster.load();
  }

  /** Does it; returns the exit code. */
  abstract int run(Runs runs) throws IOException, InterruptedException;

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
