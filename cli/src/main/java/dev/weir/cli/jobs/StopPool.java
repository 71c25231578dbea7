package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.Pools;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir pool stop}. */
@Command(
    name = "stop",
    description = "Stops a pool. Jobs that have not ended are lost, unless --when-idle is given.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir pool stop --when-idle"})
final class StopPool implements Callable<Integer> {

  @Mixin private PoolChoice choice;

  @Option(
      names = "--when-idle",
      description = "Take no more jobs, and stop when those that it has are done.")
  private boolean whenIdle;

  @Option(
      names = "--kill",
      description =
          "Do not ask the pool: have YARN end it. What its jobs had not finished to write is removed"
              + " by your next pool.")
  private boolean kill;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (kill) {
      try (Pools pools = choice.pools()) {
        pools.kill(pools.find(choice.named()));
        return 0;
      }
    }
    return choice.with(
        client -> {
          client.stop(whenIdle);
          return 0;
        });
  }
}
