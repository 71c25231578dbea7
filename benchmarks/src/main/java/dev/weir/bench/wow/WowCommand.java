package dev.weir.bench.wow;

import dev.weir.bench.comparison.BlockSize;
import dev.weir.bench.comparison.ComparisonBench;
import dev.weir.bench.comparison.ComparisonOptions;
import dev.weir.bench.comparison.Subject;
import dev.weir.bench.measure.ExperimentRequirements;
import dev.weir.bench.series.SeriesOptions;
import dev.weir.bench.series.SeriesParameters;
import dev.weir.bench.series.Setup;
import dev.weir.bench.shared.SharedDirectoryRuns;
import dev.weir.bench.traces.ListSchedule;
import dev.weir.bench.traces.Scaling;
import dev.weir.bench.traces.WorkloadSize;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Usage;
import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.workflow.model.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir bench wow}. */
@Command(
    name = WowCommand.NAME,
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    description = {
      "Runs the five patterns of WOW's evaluation (CCGrid 2025) and, with DIR, its generated"
          + " workflows, on a local cluster with shaped links: stand-ins read and write the"
          + " published bytes, scaled.",
      "In turns with stock Hadoop, with Weir, and in a directory that all nodes mount by sshfs from"
          + " one server. Needs root, iproute2, sshfs and openssh-server.",
      SeriesOptions.HELP
    },
    footer = {
      "",
      "Examples:",
      "  weir bench wow",
      "  weir bench wow --workflows chain,fork --repeat 1",
      "  weir bench wow DIR --repeat 3 --minutes 170 --out OUT",
      "  weir bench wow DIR --repeat 3 --minutes 50 --out OUT --resume"
    })
@OptionSection(
    heading = "What to run",
    options = "--workflows --setups --seconds --scale --withhold-sizes")
public final class WowCommand implements Callable<Integer> {
  static final String NAME = "wow";

  /** The rate of the published cluster's links, in bytes per second. */
  private static final double PUBLISHED_RATE = 125e6;

  private static final String REMARK =
      "One task at a time on each node; stand-ins read and write the published bytes, scaled as"
          + " given, the blocks of inputs too. 'shared' is a directory on the master's node, mounted"
          + " by sshfs, with the kernel's page cache and a FIFO dispatcher without cost."
          + " Published are WOW's factors over Nextflow with Ceph, on Kubernetes with eight nodes"
          + " and links of 1 Gbit/s, several tasks at a time on a node: 7.3 (chain), 4.6"
          + " (group), 4.3 (fork), 1.97 (all-in-one); its generated workflows have geometric means"
          + " of 1.98 over Ceph and 4.09 over NFS.";

  @Spec private CommandSpec spec;

  @Mixin
  private ComparisonOptions options =
      new ComparisonOptions(8, "shared,stock-r3,stock-r1,weir", List.of(Setup.SHARED));

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description =
          "Directory tree with the generated workflows: a clone of"
              + " https://github.com/WOW-WorkflowScheduler/Experiments.")
  private @Nullable Path directory;

  @Option(
      names = "--workflows",
      paramLabel = "NAME",
      split = ",",
      description =
          "Of all-in-one, chain, fork, group, group-multiple and, with DIR, its generated"
              + " workflows, such as montage (default: all).")
  private List<String> names = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "30",
      description =
          "Bytes and seconds of a workflow are scaled by one factor, at most 1, with which it is"
              + " computed to take this long on stock Hadoop (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--scale",
      paramLabel = "F",
      description = "Factor of the published bytes and seconds; overrides --seconds.")
  private @Nullable Double scale;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!isPositive(seconds) || (scale != null && !isPositive(scale))) {
      throw new IllegalArgumentException("Give --seconds and --scale more than 0");
    }
    Map<String, Workflow> workflows = Usage.checked(spec, this::workflows);
    return new ComparisonBench(options, spec.commandLine().getErr(), SharedDirectoryRuns::start)
        .run(
            SeriesParameters.none().with("seconds", seconds).with("scale", scale),
            new ComparisonBench.Heading(NAME, "The workflows of WOW", REMARK),
            options.setups().contains(Setup.SHARED)
                ? new ExperimentRequirements(
                    ProgramLookup.missing(SharedDirectoryRuns.PROGRAMS),
                    SharedDirectoryRuns.INSTALL)
                : ExperimentRequirements.LINKS,
            scratch -> subjects(workflows, scratch));
  }

  private static boolean isPositive(double factor) {
    return factor > 0 && Double.isFinite(factor);
  }

  /** Returns the published workflows by name. */
  private Map<String, Workflow> workflows() throws IOException {
    Map<String, Workflow> all = new LinkedHashMap<>();
    for (WowPattern pattern : WowPattern.values()) {
      all.put(pattern.label(), pattern.workflow());
    }
    if (directory != null) {
      GeneratedWorkflow.below(directory)
          .forEach(generated -> all.put(generated.name(), generated.workflow()));
    }
    if (names.isEmpty()) {
      return all;
    }
    Map<String, Workflow> chosen = new LinkedHashMap<>();
    for (String name : names) {
      Workflow workflow = all.get(name);
      if (workflow == null) {
        throw new IllegalArgumentException(
            "no workflow '" + name + "': write some of " + String.join(",", all.keySet()));
      }
      chosen.put(name, workflow);
    }
    return chosen;
  }

  private List<Subject> subjects(Map<String, Workflow> workflows, Path scratch) throws IOException {
    List<Subject> subjects = new ArrayList<>();
    for (Map.Entry<String, Workflow> one : workflows.entrySet()) {
      subjects.add(subject(one.getKey(), one.getValue(), scratch));
    }
    return subjects;
  }

  private Subject subject(String name, Workflow published, Path scratch) throws IOException {
    WorkloadSize size = WorkloadSize.of(published);
    Scaling scaling =
        scale == null
            ? Scaling.fitting(seconds, size.stockSeconds(options.nodes(), options.bytesPerSecond()))
            : new Scaling(scale, scale);
    Workflow workflow = scaling.of(published);
    double withoutData = ListSchedule.seconds(workflow, options.nodes());
    Path inputs = Files.createDirectories(scratch.resolve(name));
    Subject.makeInputs(workflow, inputs);
    return new Subject(
        name,
        about(name, size, scaling),
        workflow,
        Subject.Programs.STAND_INS,
        new Subject.Inputs(inputs, BlockSize.scaled(scaling.bytes())),
        Subject.Results.NONE,
        withoutData);
  }

  private String about(String name, WorkloadSize size, Scaling scaling) {
    String text =
        String.format(
            Locale.ROOT,
            "%s; bytes and seconds times %s, so size ÷ link is %.3f of the published one",
            size.summary(),
            scaling.bytes(),
            scaling.bytes() * PUBLISHED_RATE / options.bytesPerSecond());
    for (WowPattern pattern : WowPattern.values()) {
      Double factor = pattern.publishedOverCeph();
      if (pattern.label().equals(name) && factor != null) {
        return text + "; published: Ceph ÷ WOW " + factor;
      }
    }
    return text;
  }
}
