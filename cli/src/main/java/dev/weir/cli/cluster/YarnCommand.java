package dev.weir.cli.cluster;

import picocli.CommandLine.Command;

@Command(
    name = "yarn",
    description = "Runs Hadoop's own 'yarn' command on the master or on another node.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir cluster yarn node -list"})
final class YarnCommand extends HadoopCommand {
  YarnCommand() {
    super(HadoopShell.YARN);
  }
}
