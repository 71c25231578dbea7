package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.time.Duration;

/** What is wanted of a session; as of a {@link JobClient}, whose calls these are. */
interface RuleJobs {

  /** Gives a job to the session. */
  void submit(Job job) throws IOException, InterruptedException;

  /** Cancels a job. */
  void cancel(String id) throws IOException, InterruptedException;

  /** Waits for ends after a number. */
  EndedJobs awaitEnds(long after, Duration atMost) throws IOException, InterruptedException;

  /** Those of a client. */
  static RuleJobs of(JobClient client) {
    return new RuleJobs() {
      @Override
      public void submit(Job job) throws IOException, InterruptedException {
        client.submit(job);
      }

      @Override
      public void cancel(String id) throws IOException, InterruptedException {
        client.cancel(id);
      }

      @Override
      public EndedJobs awaitEnds(long after, Duration atMost)
          throws IOException, InterruptedException {
        return client.awaitEnds(after, atMost);
      }
    };
  }
}
