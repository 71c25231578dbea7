package dev.weir.cli.common;

import dev.weir.workflow.yarn.ApplicationRequest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAccessType;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What users ask of YARN, for all commands that submit applications. */
public final class ApplicationOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description =
          "YARN queue to submit to, by name or path (default: "
              + ApplicationRequest.QUEUE_KEY
              + " of weir-site.xml, else YARN's placement rules decide).")
  private @Nullable String queue;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description =
          "Priority among the applications of the queue, higher first (default: the queue's). YARN"
              + " caps it at yarn.cluster.max-application-priority.")
  private @Nullable Integer priority;

  @Option(
      names = "--node-label",
      paramLabel = "LABEL",
      description = "Label of the nodes on which all containers run (default: the queue's).")
  private @Nullable String nodeLabel;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = TimeSpanConverter.class,
      description =
          "YARN kills the application after this time, for example 12h (default: the"
              + " queue's limit).")
  private @Nullable Duration maxTime;

  @Option(
      names = "--tag",
      paramLabel = "WORD",
      description = "A tag of the application, for 'yarn application -list -appTags'. Repeatable.")
  private Set<String> tags = new LinkedHashSet<>();

  @Option(
      names = "--view-acl",
      paramLabel = "ACL",
      description =
          "Who else may see the application and its logs in YARN: 'user1,user2 group1,group2', or"
              + " * for all.")
  private @Nullable String viewers;

  @Option(
      names = "--modify-acl",
      paramLabel = "ACL",
      description = "Who else may kill the application in YARN.")
  private @Nullable String modifiers;

  /** Returns what the user asks for. */
  public ApplicationRequest request() {
    Map<ApplicationAccessType, String> access = new EnumMap<>(ApplicationAccessType.class);
    if (viewers != null) {
      access.put(ApplicationAccessType.VIEW_APP, viewers);
    }
    if (modifiers != null) {
      access.put(ApplicationAccessType.MODIFY_APP, modifiers);
    }
    return Usage.checked(
        spec, () -> new ApplicationRequest(queue, priority, nodeLabel, maxTime, tags, access));
  }
}
