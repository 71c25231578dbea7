package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.workflow.jobs.Pools;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir pool ls}. */
@Command(
    name = "ls",
    description = "Lists your pools.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir pool ls"})
final class ListPools implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ClientConfiguration cluster;

  @Override
  public Integer call() throws IOException {
    try (Pools pools = Pools.open(cluster.load())) {
      print(pools.list());
    }
    return 0;
  }

  private void print(List<Pools.Pool> pools) {
    PrintWriter out = spec.commandLine().getOut();
    if (pools.isEmpty()) {
      out.println("No pools.");
    } else {
      Table table = new Table("ID", "NAME", "STATE", "STARTED");
      for (Pools.Pool pool : pools) {
        String started = Times.of(Instant.ofEpochMilli(pool.startedMillis()).toString());
        table.row(pool.id(), pool.name(), pool.state(), started);
      }
      out.print(table);
    }
    out.flush();
  }
}
