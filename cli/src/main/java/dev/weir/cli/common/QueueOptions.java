package dev.weir.cli.common;

import dev.weir.workflow.yarn.QueueRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the YARN queue, for all commands that submit applications. */
public final class QueueOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description =
          "YARN queue to submit to, by name or path (default: "
              + QueueRequest.QUEUE_KEY
              + " of weir-site.xml, else YARN's placement rules decide).")
  private @Nullable String queue;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description =
          "Priority among the applications of the queue, higher first (default: the queue's). YARN"
              + " caps it at yarn.cluster.max-application-priority.")
  private @Nullable Integer priority;

  /** For picocli. */
  public QueueOptions() {}

  /**
   * Returns the requested queue and priority.
   *
   * @return the request
   * @throws ParameterException when the queue is blank or the priority negative
   */
  public QueueRequest request() {
    return Usage.checked(spec, () -> new QueueRequest(queue, priority));
  }
}
