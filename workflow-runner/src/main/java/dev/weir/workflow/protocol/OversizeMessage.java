package dev.weir.workflow.protocol;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.util.List;
import java.util.Optional;

/**
 * What takes the place of a message that is longer than any peer reads: the task that it is about
 * has failed, for no other try and no other node would make its message shorter.
 */
public final class OversizeMessage {

  private static final String REMEDY =
      ": make several tasks of it, put its files into archives, or give them shorter names";

  private OversizeMessage() {}

  /**
   * What is told to the peer instead.
   *
   * @param why what is wrong with the message
   * @return a shorter one; empty when there is none
   */
  public static Optional<Message> toPeer(Message message, String why) {
    if (!(message instanceof Message.Ended ended)) {
      return Optional.empty();
    }
    TaskReport report = ended.report();
    return Optional.of(
        refused(
            report.task(),
            report.attempt(),
            report.exitCode(),
            "it ended as "
                + report.result()
                + ", and what is to be told of its files is too long: "
                + why
                + REMEDY));
  }

  /**
   * What the peer would answer to a message that it cannot be sent.
   *
   * @param why what is wrong with the message
   * @return the answer; empty when there is none
   */
  public static Optional<Message> fromPeer(Message message, String why) {
    return message instanceof Message.Run run
        ? Optional.of(
            refused(
                run.order().task(),
                run.order().attempt(),
                TaskReport.NO_EXIT_CODE,
                "no worker can be told of it: " + why + REMEDY))
        : Optional.empty();
  }

  private static Message refused(String task, int attempt, int exitCode, String why) {
    return new Message.Ended(
        new TaskReport(
            task, attempt, Result.REFUSED, exitCode, why, "", List.of(), List.of(), Usage.NONE));
  }
}
