package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.hints.client.Explanation;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir explain}, and the same as {@code weir hints explain}. */
@Command(
    name = "explain",
    description =
        "Explains the locations of a file's blocks: the rule, its wanted nodes, the"
            + " actual nodes.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir explain /data/reads/a.fastq", "", ServiceOptions.CODES})
public final class ExplainCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PATH", description = "The file.")
  private String path;

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  int run(HintsClient client, HdfsPaths paths) throws IOException {
    String resolved = paths.resolve(path);
    paths.attributeWarnings(resolved, client).forEach(service::warn);
    JsonNode answer =
        service.tell(client, ServiceCalls.explain(resolved), ExplainCommand::words).json();
    return isMissing(Explanation.of(answer).actual()) ? ExitCode.NOT_FOUND : ExitCode.DONE;
  }

  /** Every file has a replication. */
  private static boolean isMissing(Explanation.Actual actual) {
    return actual.replication() == 0;
  }

  private static String words(JsonNode json) throws IOException {
    Explanation explained = Explanation.of(json);
    Explanation.Source rule = explained.rule();
    Explanation.Actual actual = explained.actual();
    StringBuilder text = new StringBuilder();
    line(text, explained.path());
    line(text, "  rule     " + (rule == null ? "none, so stock HDFS places it" : words(rule)));
    line(text, "  wanted   " + words(explained.wanted()));
    String blockSize = Sizes.of(actual.blockSize());
    line(
        text,
        isMissing(actual)
            ? "  actual   there is no such file"
            : "  actual   replication " + actual.replication() + ", block size " + blockSize);
    if (!actual.blocks().isEmpty()) {
      Table blocks = new Table("OFFSET#", "LENGTH#", "NODES");
      for (Explanation.Block block : actual.blocks()) {
        String nodes = String.join(", ", block.nodes());
        blocks.row(block.offset(), Sizes.of(block.length()), nodes.isEmpty() ? "none" : nodes);
      }
      text.append(blocks.toString().indent(11));
    }
    Explanation.Use use = explained.use();
    if (use != null) {
      line(text, "  use      " + words(use));
    }
    for (Explanation.Difference difference : explained.differences()) {
      line(text, "  differs  " + difference.what() + ": " + difference.why());
    }
    return text.toString();
  }

  private static String words(Explanation.Source rule) {
    return rule.pattern() + " is " + rule.text() + ", set " + rule.set() + " of " + rule.owner();
  }

  private static String words(Explanation.Use use) {
    return String.format(
        Locale.ROOT,
        "%.1f reads, %.1f writes; one more replica saves %.2f: %s",
        use.reads(),
        use.writes(),
        use.utility(),
        use.why());
  }

  private static String words(Explanation.Wanted wanted) {
    List<String> parts = new ArrayList<>();
    if (wanted.replicas() > 0) {
      parts.add(wanted.replicas() + (wanted.replicas() == 1 ? " replica" : " replicas"));
    }
    if (!wanted.nodes().isEmpty()) {
      parts.add("on " + String.join(", ", wanted.nodes()));
    }
    if (!wanted.why().isEmpty()) {
      parts.add(parts.isEmpty() ? wanted.why() : "(" + wanted.why() + ")");
    }
    return parts.isEmpty() ? "nothing special" : String.join(" ", parts);
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append(System.lineSeparator());
  }
}
