package dev.weir.cli.gather;

import picocli.CommandLine.Command;

/** {@code weir gather}: groups the commands for files that many write at once. */
@Command(
    name = "gather",
    description = {
      "Lets many processes write regions of one HDFS file at the same time, each on" + " its node.",
      "The regions become the file without being copied. No part of the file is visible before."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      BeginGather.class,
      WriteRegion.class,
      CommitGather.class,
      AbortGather.class,
      SweepGathers.class
    },
    footer = {
      "",
      "Example:",
      "  gather=$(weir gather begin /data/all.dat --region 64m --regions 8)",
      "  weir gather write \"$gather\" 3 part3.dat       # on whatever node has it",
      "  weir gather commit \"$gather\"",
      "",
      GatherStep.CODES
    })
public final class GatherCommand {}
