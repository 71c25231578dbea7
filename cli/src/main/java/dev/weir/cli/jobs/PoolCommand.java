package dev.weir.cli.jobs;

import picocli.CommandLine.Command;

/** {@code weir pool}: groups the commands for pools that take single jobs. */
@Command(
    name = "pool",
    description = {
      "Starts and stops pools: workers on a cluster to which engines give single jobs.",
      "Jobs run as the user who started the pool, and only that user can give any."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {StartPool.class, ListPools.class, ShowPool.class, StopPool.class},
    footer = {
      "",
      "Example:",
      "  weir pool start --workers 6 --worker-cores 4",
      "  weir job run --input /data/a.fa=a.fa --output a.out=/out/a.out -- sh -c 'wc a.fa > a.out'",
      "  weir pool stop"
    })
public final class PoolCommand {
  /** For picocli. */
  public PoolCommand() {}
}
