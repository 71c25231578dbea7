package dev.weir.cli.jobs;

import picocli.CommandLine.Command;

/** {@code weir session}: groups the commands for sessions that take single jobs. */
@Command(
    name = "session",
    aliases = "pool",
    description = {
      "Starts and stops sessions: workers on a cluster that run workflows and single jobs.",
      "A session runs everything as the user who started it, and accepts work from"
          + " that user only."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {StartSession.class, ListSessions.class, ShowSession.class, StopSession.class},
    footer = {
      "",
      "Example:",
      "  weir session start --workers 6 --worker-cores 4",
      "  weir run montage.json --session auto",
      "  weir job run --input /data/a.fa=a.fa --output a.out=/out/a.out -- sh -c 'wc a.fa > a.out'",
      "  weir session stop"
    })
public final class SessionCommand {}
