package dev.weir.cli.jobs;

import picocli.CommandLine.Command;

/** {@code weir job}: groups the commands for single jobs. */
@Command(
    name = "job",
    description = "Gives single jobs to a session, asks what became of them and waits for them.",
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

  /** What 'weir job' ends with; the help of its commands says so. */
  static final String CODES =
      "Exit code: 0 it succeeded, 1 to 124 and 126 to 255 that of the job's command, 125 it was not"
          + " run to its end (refused, cancelled, or its worker lost again and again), 3 there is"
          + " no such job.";

  /** For picocli. */
  public JobCommand() {}
}
