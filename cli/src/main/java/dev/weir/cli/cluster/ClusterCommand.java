package dev.weir.cli.cluster;

import picocli.CommandLine.Command;

/** {@code weir cluster}: groups the commands for clusters of this machine. */
@Command(
    name = "cluster",
    description = "Starts and uses clusters of real Hadoop daemons on this machine.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      StartCommand.class,
      StatusCommand.class,
      EnvCommand.class,
      ExecCommand.class,
      HdfsCommand.class,
      YarnCommand.class,
      StopCommand.class
    },
    footer = {
      "",
      "Example:",
      "  weir cluster start --nodes 4",
      "  weir cluster hdfs dfs -ls /",
      "  weir cluster stop"
    })
public final class ClusterCommand {}
