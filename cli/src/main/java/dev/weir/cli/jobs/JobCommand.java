package dev.weir.cli.jobs;

import picocli.CommandLine.Command;

/** {@code weir job}: groups the commands for single jobs. */
@Command(
    name = "job",
    description = "Submits single jobs to a session, shows them and waits for them.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunJob.class,
      SubmitJob.class,
      WaitForJobs.class,
      ShowJob.class,
      ListJobs.class,
      CancelJobs.class
    },
    footer = {
      "",
      "Example:",
      "  weir job run --input /data/a.fa=a.fa --output a.out=/out/a.out -- sh -c 'wc a.fa > a.out'",
      "  weir job submit align.json && weir job wait align-17"
    })
public final class JobCommand {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 success; 1 to 124 and 126 to 255 that of the job's command; 125 the job was not"
          + " run to its end (refused, cancelled, or its workers were lost); 3 no such job.";
}
