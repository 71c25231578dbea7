package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.cluster.LinkRateConverter;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Table;
import dev.weir.cli.workflow.WorkflowOptions;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.Rule;
import dev.weir.workflow.infer.ClusterShape;
import dev.weir.workflow.infer.FetchModel;
import dev.weir.workflow.infer.HintInference;
import dev.weir.workflow.infer.InferredHint;
import dev.weir.workflow.infer.LinkSpeed;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "infer",
    description = {
      "Prints the hints that the graph of a workflow implies.",
      "It recognises pipelines, broadcasts, reductions, scattering, gathering and reuse, and prints"
          + " the reason of each hint. Hints in the workflow take precedence. The workflow is in "
          + WorkflowOptions.FORMATS
          + ". The hints service is not contacted.",
      "'temporary' in a hint marks a file that can be computed again. 'weir run' deletes such a file"
          + " only with '--keep none', or if the workflow marks it as temporary.",
      "With --set it prints a hint set for 'weir hints import'."
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    footer = {
      "",
      "Example:",
      "  weir hints infer montage.json --directory /data/montage --nodes 6",
      "  weir hints infer montage.json --set mosaic-17 | weir hints import -",
      "",
      "Exit code: 0 done, 1 the workflow cannot be read, 2 wrong usage."
    })
@OptionSection(heading = "Workflow", options = "--format --define --args --directory")
@OptionSection(
    heading = "Cluster",
    options = "--cluster --nodes --replication --link --free --cache-memory")
@OptionSection(heading = "Output", options = "--set --json")
final class InferHints implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClientConfiguration cluster;
  @Mixin private WorkflowOptions reading;

  @Parameters(paramLabel = "FILE", description = "The workflow's file.")
  private Path file;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description =
          "HDFS directory of the workflow's files (default: weir/NAME in your home directory, as"
              + " for 'weir run').")
  private @Nullable String directory;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of nodes that store data and run tasks (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--replication",
      paramLabel = "R",
      description = "Replicas of files without a hint (default: dfs.replication).")
  private @Nullable Integer replication;

  @Option(
      names = "--free",
      paramLabel = "BYTES",
      description =
          "Free space of HDFS, of which additional replicas take at most half (default: no limit)."
              + " 'weir run' asks HDFS for it.")
  private @Nullable Long free;

  @Option(
      names = "--cache-memory",
      paramLabel = "BYTES",
      defaultValue = "0",
      description =
          "Memory that all DataNodes together may use for cached blocks (default:"
              + " ${DEFAULT-VALUE}, no caching). Files that many tasks read take at most half of it."
              + " Meant for engines whose tasks read from HDFS; 'weir run' uses 0, because its"
              + " workers have a cache.")
  private long memory;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      converter = LinkRateConverter.class,
      description =
          "Rate of each node's link, such as 1gbit (default: "
              + LinkSpeed.KEY
              + " of the configuration, else 1gbit).")
  private @Nullable LinkRate link;

  @Option(names = "--set", paramLabel = "ID", description = "Print a hint set with this id.")
  private @Nullable String set;

  @Option(names = "--json", description = "Print JSON in the form of the hints service.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Workflow workflow = reading.read(file, spec.commandLine().getErr()).workflow();
    Configuration configuration = cluster.load();
    String data = WorkflowOptions.dataDirectory(directory, workflow);
    int copies = replication == null ? configuration.getInt("dfs.replication", 3) : replication;
    if (nodes < 1 || copies < 1) {
      throw new ParameterException(spec.commandLine(), "--nodes and --replication are at least 1");
    }
    long room = free == null ? ClusterShape.UNBOUNDED : free;
    if (room < 0 || memory < 0) {
      throw new ParameterException(spec.commandLine(), "--free and --cache-memory are at least 0");
    }
    List<InferredHint> rules =
        HintInference.infer(
            workflow,
            new HdfsPaths(configuration).resolve(data),
            new ClusterShape(
                nodes, copies, room, memory, new FetchModel(rate(configuration), memory == 0)));
    PrintWriter out = spec.commandLine().getOut();
    String id = set;
    if (id != null) {
      out.println(SetFile.of(asSet(id, rules)));
    } else if (json) {
      out.println(Json.pretty(asAnswer(rules)));
    } else {
      out.print(asTable(rules));
    }
    out.flush();
    return ExitCode.DONE;
  }

  /** Returns the rate of the links in bytes per second. */
  private long rate(Configuration configuration) {
    LinkRate told = link;
    if (told == null) {
      return LinkSpeed.of(configuration);
    }
    if (!told.isShaped()) {
      throw new ParameterException(
          spec.commandLine(), "--link needs a rate, such as 1gbit, by which times are predicted");
    }
    return told.bitsPerSecond() / Byte.SIZE;
  }

  private static HintSet asSet(String id, List<InferredHint> inferred) throws IOException {
    List<Rule> rules = inferred.stream().map(InferredHint::rule).toList();
    String owner = UserGroupInformation.getCurrentUser().getShortUserName();
    return new HintSet(id, owner, null, rules);
  }

  private static JsonNode asAnswer(List<InferredHint> inferred) throws IOException {
    JsonNode plain = Json.parse(HintCodec.toJson(asSet("inferred", inferred))).path("rules");
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode rules = answer.putArray("rules");
    for (int i = 0; i < inferred.size(); i++) {
      InferredHint hint = inferred.get(i);
      ObjectNode rule = rules.addObject();
      rule.setAll((ObjectNode) plain.path(i));
      rule.put("text", text(hint)).put("reason", hint.reason());
    }
    return answer;
  }

  private static String text(InferredHint hint) {
    return HintText.format(hint.rule().hint());
  }

  private static String asTable(List<InferredHint> inferred) {
    Table table = new Table("PATTERN", "HINT", "REASON");
    inferred.forEach(hint -> table.row(hint.rule().pattern(), text(hint), hint.reason()));
    return table.isEmpty() ? "Nothing to advise." + System.lineSeparator() : table.toString();
  }
}
