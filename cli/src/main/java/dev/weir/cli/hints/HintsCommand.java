package dev.weir.cli.hints;

import picocli.CommandLine.Command;

/** {@code weir hints}: groups the commands for hints. */
@Command(
    name = "hints",
    description = {
      "Sets and shows hints, by which HDFS places files near their readers.",
      "The hints service is that of weir.server.url in weir-site.xml; see 'weir help" + " server'."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SetHint.class,
      GetHint.class,
      ListSets.class,
      RemoveHint.class,
      ImportSet.class,
      ExportSet.class,
      KeepSet.class,
      InferHints.class,
      ExplainCommand.class,
      ListWatchers.class,
      AutoCommand.class,
      ProfileCommand.class
    },
    footer = {
      "",
      "A hint is pipeline, broadcast=8, reduce=GROUP, scatter=64m, gather=64m or"
          + " reuse, or a combination of parts; see docs/hints.md.",
      "",
      "Example:",
      "  weir hints set /data/reads pipeline",
      "  weir hints set /data/genome.fa broadcast=8 --expires 12h --await",
      "  weir hints get /data/reads/a.fastq",
      "  weir hints rm /data/reads",
      "",
      ServiceCommand.CODES
    })
public final class HintsCommand {}
