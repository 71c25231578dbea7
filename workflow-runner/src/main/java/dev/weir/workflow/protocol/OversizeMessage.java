package dev.weir.workflow.protocol;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.util.List;
import java.util.Optional;

/**
 * Replaces a message that exceeds the peer's limit by a report that its task failed. A retry, even
 * on another node, would not make the message shorter.
 */
public final class OversizeMessage {

  private static final String REMEDY =
      ": split the task, put its files into archives, or give them shorter names";

  private OversizeMessage() {}

  /**
   * Returns the replacement that is sent to the peer.
   *
   * @param why why the message cannot be sent
   * @return a shorter message; empty if there is none
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
                + ", and the report on its files is too long: "
                + why
                + REMEDY));
  }

  /**
   * Returns the answer in the name of a peer to which the message cannot be sent.
   *
   * @return the answer; empty if there is none
   */
  public static Optional<Message> fromPeer(Message message, String why) {
    return message instanceof Message.Run run
        ? Optional.of(
            refused(
                run.order().task(),
                run.order().attempt(),
                TaskReport.NO_EXIT_CODE,
                "its order to a worker is too long: " + why + REMEDY))
        : Optional.empty();
  }

  private static Message refused(String task, int attempt, int exitCode, String why) {
    return new Message.Ended(
        new TaskReport(
            task, attempt, Result.REFUSED, exitCode, why, "", List.of(), List.of(), Usage.NONE));
  }
}
