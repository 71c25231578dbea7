package dev.weir.cli.jobs;

import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.Pools;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which pool a command is for; the only one needs no naming. */
final class PoolChoice {

  @Option(
      names = "--pool",
      paramLabel = "POOL",
      description = "Id or name of the pool (default: WEIR_POOL, else your only one).")
  private @Nullable String pool;

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "2m",
      converter = TimeSpanConverter.class,
      description =
          "How long the pool may not answer, as while its ApplicationMaster is started anew"
              + " (default: ${DEFAULT-VALUE}).")
  private Duration patience;

  @Mixin private ClientConfiguration cluster;

  /** What a command wants of a pool. */
  interface Errand {
    int run(JobClient client) throws IOException, InterruptedException;
  }

  /** Talks to the pool. */
  int with(Errand errand) throws IOException, InterruptedException {
    try (Pools pools = pools()) {
      return errand.run(pools.client(pools.find(named()), patience));
    }
  }

  Pools pools() throws IOException {
    return Pools.open(cluster.load());
  }

  String named() {
    if (pool != null) {
      return pool;
    }
    String variable = System.getenv("WEIR_POOL");
    return variable == null ? "" : variable.strip();
  }

  Duration patience() {
    return patience;
  }
}
