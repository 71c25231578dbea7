package dev.weir.cli.cluster;

import dev.weir.cli.common.Failures;
import dev.weir.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "stop",
    description =
        "Kills all processes of a cluster and deletes its network and its files,"
            + " including HDFS.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cluster stop", "  weir cluster stop --all"})
final class StopCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterChoice choice;

  @Option(names = "--all", description = "Stop all of your clusters.")
  private boolean all;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Path> dirs = all ? LocalCluster.known() : List.of(choice.dirToEnd());
    int failed = 0;
    for (Path dir : dirs) {
      try {
        LocalCluster.attach(dir).close();
        out.println("removed " + dir);
        out.flush();
      } catch (IOException e) {
        if (!all) {
          throw e;
        }
        failed = 1;
        Failures.of(spec).tell(spec.root().name(), e, spec.commandLine().getErr());
      }
    }
    return failed;
  }
}
