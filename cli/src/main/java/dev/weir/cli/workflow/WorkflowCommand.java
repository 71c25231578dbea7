package dev.weir.cli.workflow;

import picocli.CommandLine.Command;

/** {@code weir workflow}: groups the commands for workflow files. */
@Command(
    name = "workflow",
    description = {
      "Checks, shows and converts workflow files without a cluster, and estimates runs.",
      "They are in " + WorkflowOptions.FORMATS + "."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CheckWorkflow.class,
      ShowWorkflow.class,
      EstimateWorkflow.class,
      ConvertWorkflow.class
    },
    footer = {
      "",
      "Example:",
      "  weir workflow check blast.jx --args args.jx",
      "  weir workflow show montage.json",
      "  weir workflow estimate montage.json --data mosaic",
      "  weir workflow convert diamond.mf -o diamond.json",
      "",
      WorkflowCommand.CODES
    })
public final class WorkflowCommand {
  static final String CODES = "Exit code: 0 done, 1 the workflow is refused, 2 wrong usage.";
}
