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

/** A command for runs that were started earlier, on this machine or another. */
abstract class RunsBase implements Callable<Integer> {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 refused, 5 no answer.";

  /** The help text about names of runs. */
  static final String RUN = "Id of the run, a prefix of it, the number at its end, or 'last'.";

  /** The help text about names of tasks. */
  static final String TASKS = "Ids or types of tasks, with * and ? (default: the whole run).";

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

  /** Checks the arguments before the cluster is contacted. */
  void requireUsable() {}

  /** Creates the exception for a wrong argument. */
  final ParameterException unusable(String why) {
    return new ParameterException(spec.commandLine(), why);
  }

  final Configuration configuration() throws IOException {
    return cluster.load();
  }

  /** Runs the command and returns the exit code. */
  abstract int run(Runs runs) throws IOException, InterruptedException;

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
