package dev.weir.cli.hints;

import picocli.CommandLine.Command;

/** {@code weir hints profile}: groups the commands for the counted use of files. */
@Command(
    name = "profile",
    description = "Saves and loads how often files under the hint auto were used.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ExportProfile.class, ImportProfile.class},
    footer = {
      "",
      "Example:",
      "  weir hints profile export use.json",
      "  weir hints profile import use.json",
      "",
      ServiceCommand.CODES
    })
final class ProfileCommand {}
