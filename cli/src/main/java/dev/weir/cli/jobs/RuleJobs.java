package dev.weir.cli.jobs;

import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.time.Duration;

/** The calls of {@link JobClient} that {@link MakeflowSession} needs. */
interface RuleJobs {

  void submit(Job job) throws IOException, InterruptedException;

  void cancel(String id) throws IOException, InterruptedException;

  /** Waits for jobs that ended after a sequence number. */
  EndedJobs awaitEnds(long after, Duration atMost) throws IOException, InterruptedException;

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
