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

/** A worker whose ApplicationMaster is gone goes on, and comes to the next one. */
class WorkerReturnTest extends WorkerReturnBench {

  @Test
  void whatRunsAndWhatWaitsGoesOn() throws Exception {
    Path ran = temp.resolve("ran");
    send(waiting("first", "echo 1 > first.out; echo first >> " + ran));
    awaitBegun("first");
    send(run("second", "echo 2 > second.out; echo second >> " + ran));
    awaitHeard();

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"), held("second"));
    Files.createFile(temp.resolve("go-first"));
    // The second may begin, and end, while what the first has made is stored.
    assertThat(List.of(endsOfPermitted(second), endsOfPermitted(second)))
        .containsExactlyInAnyOrder("first", "second");
    assertThat(ran).as("one command after the other").hasContent("first\nsecond");
    assertThat(Files.readAllLines(temp.resolve("begun-first"))).as("once").hasSize(1);
    assertThat(temp.resolve("second.out")).hasContent("2");
    send(run("third", "echo 3 > third.out"));
    second.hearsEnd("third", Result.SUCCEEDED);
  }

  /** The next task that has ended, where all that were begun under another master ask. */
  private String endsOfPermitted(Master asked) throws InterruptedException {
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
  void whatEndsWhileThereIsNoMasterIsToldToTheNext() throws Exception {
    send(failing("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitHeard();
    die();
    Files.createFile(temp.resolve("go-first"));
    // Its command begins when that of the first has ended.
    awaitBegun("second");

    Master second = another();

    assertThat(second.hearsHand()).extracting(HeldAttempt::task).containsExactly("first", "second");
    second.hearsEnd("first", Result.FAILED);
    send(new Message.Recall("second", 1));
    assertThat(second.next()).isEqualTo(new Message.Begun("second", 1));
    Files.createFile(temp.resolve("go-second"));
    assertThat(endsOfPermitted(second)).isEqualTo("second");
  }

  @Test
  void whatIsDoneWhileThereIsNoMasterIsNotCommittedWithoutThePermitOfTheNext() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    send(waiting("second"));
    awaitHeard();
    die();
    await().until(next::hasQueuedThreads);
    Files.createFile(temp.resolve("go-first"));
    awaitBegun("second");

    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"), held("second"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    send(new Message.Permit("first", 1, false));
    second.hearsEnd("first", Result.STOPPED);
    assertThat(temp.resolve("first.out")).doesNotExist();
  }

  @Test
  void whatWasCommittedUnaskedIsToldSo() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.hearsEnd("first", Result.SUCCEEDED);

    die();

    assertThat(another().hearsHand()).containsExactly(ended("first", true));
  }

  @Test
  void whatWasNotedIsNotToldAgainAndWhatWasNotIs() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.hearsEnd("first", Result.SUCCEEDED);
    send(run("second", "exit 9"));
    master.hearsEnd("second", Result.FAILED);
    send(new Message.Noted(1));
    // Once this is reported the worker has heard that.
    send(run("third", "exit 9"));
    master.hearsEnd("third", Result.FAILED);

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(ended("second", false), ended("third", false));
    second.hearsEnd("second", Result.FAILED);
    second.hearsEnd("third", Result.FAILED);
    send(new Message.Noted(2));
    send(waiting("fourth"));
    awaitBegun("fourth");
    die();

    assertThat(another().hearsHand()).containsExactly(held("fourth"));
  }

  @Test
  void whoHasAskedAsksAgainAndWhoWasLetCommitSaysSo() throws Exception {
    send(new Message.Run(run("first", "echo 1 > first.out").order().asking(0)));
    assertThat(master.next()).isEqualTo(new Message.MayCommit("first", 1));

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"));
    assertThat(second.next()).isEqualTo(new Message.MayCommit("first", 1));
    assertThat(temp.resolve("first.out")).doesNotExist();
    send(new Message.Permit("first", 1, true));
    second.hearsEnd("first", Result.SUCCEEDED);
    die();

    assertThat(another().hearsHand()).containsExactly(ended("first", true));
  }

  @Test
  void whatTheNextDoesNotWantIsStopped() throws Exception {
    send(waiting("first"));
    awaitBegun("first");

    die();
    Master second = another();

    assertThat(second.hearsHand()).containsExactly(held("first"));
    send(new Message.Stop("first", 1));
    second.hearsEnd("first", Result.STOPPED);
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void whoFindsNoOtherEndsWithItsCommands() throws Exception {
    send(waiting("first"));
    awaitBegun("first");
    long pid = Long.parseLong(Files.readString(temp.resolve("begun-first")).strip());
    die();
    await().until(next::hasQueuedThreads);
    assertThat(Pids.runs(pid)).as("it may still be found").isTrue();

    inVain = true;
    next.release();

    working.get();
    await().until(() -> !Pids.runs(pid));
  }

  @Test
  void whoIsToEndWhileItLooksForTheNextLooksNoLonger() throws Exception {
    die();
    await().until(next::hasQueuedThreads);

    requireNonNull(link).close();

    working.get(1, TimeUnit.MINUTES);
  }

  @Test
  void whoIsSentAwayByTheNextEnds() throws Exception {
    die();
    assertThat(another().hearsHand()).isEmpty();

    send(new Message.Shutdown());

    working.get();
  }

  @Test
  void aMasterThatHasKeptTheSessionIsToldNothingAgain() throws Exception {
    send(run("first", "echo 1 > first.out"));
    master.hearsEnd("first", Result.SUCCEEDED);
    send(waiting("second"));
    awaitBegun("second");

    die();
    same();
    send(new Message.Noted(1));
    Files.createFile(temp.resolve("go-second"));

    assertThat(endsOfPermitted(master)).isEqualTo("second");
    assertThat(master.heard).isEmpty();
  }
}
