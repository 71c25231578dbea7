package dev.weir.it.run;

import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.staging.WorkerPlan;
import dev.weir.workflow.yarn.ApplicationRequest;
import dev.weir.workflow.yarn.MasterMemory;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** Tests of a session on the shared cluster, which is killed after each test. */
abstract class SessionRuns extends MarkedRuns {
  static final int IDLE_SECONDS = 5;

  Sessions sessions;

  /** The id of the session that was started last. */
  String session;

  /**
   * Creates the tests of a class.
   *
   * @param name of the directory in HDFS for its files
   */
  SessionRuns(String name) {
    super(name);
  }

  /** Starts a session of three workers. */
  final void startSession() throws IOException {
    startSession(Mode.WEIR, WorkerPlan.DEFAULT.withCount(3).elastic(0, IDLE_SECONDS));
  }

  /** Starts a session with a mode and a worker plan. */
  final void startSession(Mode mode, WorkerPlan workers) throws IOException {
    if (sessions == null) {
      sessions = Sessions.open(cluster.configuration());
    }
    session =
        new SessionStarter(cluster.configuration(), ClusterRuns.runnerJars())
            .start(
                new SessionStarter.Request(
                    "it",
                    mode,
                    workers,
                    0,
                    MasterMemory.DEFAULT,
                    ApplicationRequest.DEFAULT,
                    TaskSecrets.NONE));
  }

  @AfterEach
  final void killSession() throws Exception {
    if (sessions == null) {
      return; // The test is skipped.
    }
    try {
      sessions.kill(session);
    } finally {
      sessions.close();
    }
  }

  /** A job that a shell runs. */
  static Job job(String id, List<JobFile> inputs, List<JobFile> outputs, String command) {
    return new Job(
        id, "", List.of("/bin/sh", "-c", command), Map.of(), inputs, outputs, JobOptions.DEFAULT);
  }
}
