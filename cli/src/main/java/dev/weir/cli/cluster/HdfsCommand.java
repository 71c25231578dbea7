package dev.weir.cli.cluster;

import picocli.CommandLine.Command;

@Command(
    name = "hdfs",
    description = "Runs Hadoop's own 'hdfs' command on the master or on another node.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir cluster hdfs dfs -ls /",
      "  weir cluster hdfs --on n1 dfs -put big.dat /"
    })
final class HdfsCommand extends HadoopCommand {
  HdfsCommand() {
    super(HadoopShell.HDFS);
  }
}
