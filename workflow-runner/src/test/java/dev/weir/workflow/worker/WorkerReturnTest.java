package dev.weir.workflow.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A worker that loses its ApplicationMaster continues, and connects to the next one. */
class WorkerReturnTest extends WorkerReturnTestBase {

  @Test
  void runningAndWaitingAttemptsContinue() throws Exception {
    Path ran = temp.resolve("ran");
    send(waiting("first", "echo 1 > first.out; echo first >> " + ran));
    awaitBegun("first");
    send(run("second", "echo 2 > second.out; echo second >> " + ran));
    awaitReceived();

    die();
    Master second = another();

    assertThat(second.receivesHeldAttempts()).containsExactly(held("first"), held("second"));
    Files.createFile(temp.resolve("go-first"));
    // The second task may begin and end while the outputs of the first are stored.
    assertThat(List.of(endAfterCommitPermission(second), endAfterCommitPermission(second)))
        .containsExactlyInAnyOrder("first", "second");
    assertThat(ran).as("one command after the other").hasContent("first\nsecond");
    assertThat(Files.readAllLines(temp.resolve("begun-first"))).as("once").hasSize(1);
    assertThat(temp.resolve("second.out")).hasContent("2");
    send(run("third", "echo 3 > third.out"));
    second.receivesEnd("third", Result.SUCCEEDED);
  }

  /**
   * Returns the next task that ends; grants commits to attempts that were started under another
   * master.
   */
  private String endAfterCommitPermission(Master asked) throws InterruptedException {
    Message message = asked.next();
    while (message instanceof Message.MayCommit question) {
      send(new Message.Permit(question.task(), 1, true));
      message = asked.next();
    }
    TaskReport report = ((Message.Ended) message).report();
    assertThat(report.result()).isEqualTo(Result.SUCCEEDED);
    return report.task();
  }

  @Test
  void endWithoutAMasterIsReportedToTheNext() throws Exception {
    send(failing("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitReceived();
    die();
    Files.createFile(temp.resolve("go-first"));
    // The command of the second task begins when that of the first has ended.
    awaitBegun("second");

    Master second = another();

    assertThat(second.receivesHeldAttempts())
        .extracting(HeldAttempt::task)
        .containsExactly("first", "second");
    second.receivesEnd("first", Result.FAILED);
    send(new Message.Recall("second", 1));
    assertThat(second.next()).isEqualTo(new Message.Begun("second", 1));
    Files.createFile(temp.resolve("go-second"));
    assertThat(endAfterCommitPermission(second)).isEqualTo("second");
  }

  @Test
  void outputsWithoutAMasterAreCommittedOnlyWithPermissionOfTheNext() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitReceived();
    die();
    await().until(next::hasQueuedThreads);
    Files.createFile(temp.resolve("go-first"));
    awaitBegun("second");

    Master second = another();

    assertThat(second.receivesHeldAttempts()).containsExactly(held("first"), held("second"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    send(new Message.Permit("first", 1, false));
    second.receivesEnd("first", Result.STOPPED);
    assertThat(temp.resolve("first.out")).doesNotExist();
  }

  @Test
  void commitWithoutPermissionIsReportedToTheNextMaster() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.receivesEnd("first", Result.SUCCEEDED);

    die();

    assertThat(another().receivesHeldAttempts()).containsExactly(ended("first", true));
  }

  @Test
  void onlyUnacknowledgedReportsAreRepeated() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.receivesEnd("first", Result.SUCCEEDED);
    send(run("second", "exit 9"));
    master.receivesEnd("second", Result.FAILED);
    send(new Message.Noted(1));
    // The end of the third task shows that the worker has received this.
    send(run("third", "exit 9"));
    master.receivesEnd("third", Result.FAILED);

    die();
    Master second = another();

    assertThat(second.receivesHeldAttempts())
        .containsExactly(ended("second", false), ended("third", false));
    second.receivesEnd("second", Result.FAILED);
    second.receivesEnd("third", Result.FAILED);
    send(new Message.Noted(2));
    send(waiting("fourth"));
    awaitBegun("fourth");
    die();

    assertThat(another().receivesHeldAttempts()).containsExactly(held("fourth"));
  }

  @Test
  void commitRequestIsRepeatedAndACommitIsReported() throws Exception {
    send(new Message.Run(run("first", "echo 1 > first.out").order().asking(0)));
    assertThat(master.next()).isEqualTo(new Message.MayCommit("first", 1));

    die();
    Master second = another();

    assertThat(second.receivesHeldAttempts()).containsExactly(held("first"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    assertThat(temp.resolve("first.out")).doesNotExist();
    send(new Message.Permit("first", 1, true));
    second.receivesEnd("first", Result.SUCCEEDED);
    die();

    assertThat(another().receivesHeldAttempts()).containsExactly(ended("first", true));
  }

  @Test
  void nextMasterCanStopAnAttempt() throws Exception {
    send(waiting("first"));
    awaitBegun("first");

    die();
    Master second = another();

    assertThat(second.receivesHeldAttempts()).containsExactly(held("first"));
    send(new Message.Stop("first", 1));
    second.receivesEnd("first", Result.STOPPED);
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void workerWithoutAMasterEndsWithItsCommands() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    die();
    await().until(next::hasQueuedThreads);
    assertThat(Pids.runs(pid)).as("a master may still be found").isTrue();

    findsNone = true;
    next.release();

    working.get();
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void closingTheLinkEndsTheSearchForAMaster() throws Exception {
    die();
    await().until(next::hasQueuedThreads);

    requireNonNull(link).close();

    working.get(1, TimeUnit.MINUTES);
  }

  @Test
  void workerThatTheNextMasterDismissesEnds() throws Exception {
    die();
    assertThat(another().receivesHeldAttempts()).isEmpty();

    send(new Message.Shutdown());

    working.get();
  }

  @Test
  void reportsAreNotRepeatedWithinASession() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.receivesEnd("first", Result.SUCCEEDED);
    send(waiting("second"));
    awaitBegun("second");

    die();
    same();
    send(new Message.Noted(1));
    Files.createFile(temp.resolve("go-second"));

    assertThat(endAfterCommitPermission(master)).isEqualTo("second");
    assertThat(master.received).isEmpty();
  }
}
