package dev.weir.workflow.client;

import dev.weir.workflow.scheduler.api.Steering;
import dev.weir.workflow.scheduler.api.Steering.Action;
import dev.weir.workflow.scheduler.api.SteeringAnswer;
import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.staging.SteeringRequest;
import dev.weir.workflow.yarn.ApplicationStates;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Submits runs to the session of another run. The request is a file in that run's directory, so
 * that a session which takes no more runs needs no port.
 *
 * @param first directory of the run with which the session began
 */
record RunAdder(Staging first, ApplicationId session, YarnClient yarn, Clock clock) {

  /** The session may search for results of earlier runs for a minute. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final long POLL_MILLIS = 100;

  /** YARN is asked once in this many polls whether the session is live. */
  private static final int POLLS_PER_REPORT = 20;

  /**
   * Submits a run, and waits until the session has taken it.
   *
   * @param staging the run's directory, with its plan; deleted if the session refuses the run
   * @throws RunException if the session refuses the run, ends or does not answer
   */
  void submit(RunHandle run, Staging staging) throws IOException, InterruptedException {
    String request =
        SteeringRequest.write(first, new Steering(Action.TAKE_RUN, run.id(), 0), clock);
    SteeringAnswer answer;
    try {
      answer = answer(request);
    } catch (IOException e) {
      run.abandon("its session did not answer when the run was submitted");
      throw new RunException(
          e.getMessage()
              + ". If it has taken the run "
              + run.id()
              + ", it ends the run as soon as it can; see 'weir status "
              + run.id()
              + "'",
          e);
    } catch (InterruptedException e) {
      run.abandon("its client was interrupted when it submitted the run");
      throw e;
    }
    if (answer.tasks() == 0) {
      staging.delete();
      throw new RunException(answer.text());
    }
  }

  private SteeringAnswer answer(String request) throws IOException, InterruptedException {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    for (int polls = 1; System.nanoTime() < end; polls++) {
      try {
        return first.readJson(SteeringRequest.answer(request), SteeringAnswer.class);
      } catch (FileNotFoundException e) {
        if (polls % POLLS_PER_REPORT == 0) {
          requireLive();
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
    throw new IOException(
        "The session " + session + " has not answered in " + TIMEOUT.toSeconds() + " s");
  }

  private void requireLive() throws IOException {
    try {
      if (!ApplicationStates.hasEnded(
          yarn.getApplicationReport(session).getYarnApplicationState())) {
        return;
      }
    } catch (YarnException e) {
      throw new IOException("YARN says nothing about " + session + ": " + e.getMessage(), e);
    }
    throw new IOException("The session " + session + " has ended");
  }
}
