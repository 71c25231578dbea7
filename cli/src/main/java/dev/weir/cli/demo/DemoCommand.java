package dev.weir.cli.demo;

import dev.weir.cli.cluster.LinkRateConverter;
import dev.weir.cli.common.Usage;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.montage.SkySpec;
import dev.weir.workflow.staging.Mode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "Makes a mosaic of a synthetic sky with Montage in three modes.",
      "It runs on a Hadoop cluster on this machine, and compares the mosaics with"
          + " each other and with one made without Hadoop.",
      "With root and iproute2 the nodes are network namespaces with links of the"
          + " given rate. Otherwise they are loopback addresses without a limit."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit code: 0 all mosaics agree, 1 one of them differs or something failed.",
      "",
      "Example:",
      "  weir demo",
      "  weir demo --nodes 6 --link 100mbit --tiles 25 --out results"
    })
public final class DemoCommand implements Callable<Integer> {

  private static final LinkRate DEFAULT_LINK = LinkRate.parse("200mbit");

  @Spec private CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of nodes besides the master (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--link",
      paramLabel = "RATE",
      converter = LinkRateConverter.class,
      description =
          "Rate of every link, such as 200mbit or 1gbit, or unlimited (default: 200mbit where"
              + " links can be had).")
  private @Nullable LinkRate link;

  @Option(
      names = "--tiles",
      paramLabel = "N",
      defaultValue = "16",
      description = "Number of tiles of 400 x 400 pixels, at least 2 (default: ${DEFAULT-VALUE}).")
  private int tiles;

  @Option(
      names = "--modes",
      paramLabel = "MODE",
      split = ",",
      defaultValue = "stock,locality,weir",
      description = "Modes of the runs, in this order (default: ${DEFAULT-VALUE}).")
  private List<Mode> modes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "weir-demo",
      description = "Directory of the results, which are replaced (default: ${DEFAULT-VALUE}).")
  private Path out;

  @Override
  public Integer call() throws IOException, InterruptedException {
    DemoConsole console =
        new DemoConsole(spec.commandLine().getErr(), Ansi.AUTO.enabled(), Clock.systemUTC());
    DemoResult result = new Demo(demoSpec(console), System.getenv(), console).run();
    PrintWriter output = spec.commandLine().getOut();
    output.println();
    output.println(ResultTable.of(result));
    output.println("Details: " + result.spec().out().resolve("report.html"));
    output.flush();
    return result.identicalToSequential() || !result.realPrograms() ? 0 : 1;
  }

  private DemoSpec demoSpec(DemoConsole console) throws ClusterException {
    Optional<String> lack = HostKind.NAMESPACES.lack();
    LinkRate given = link;
    if (given != null && given.isShaped() && lack.isPresent()) {
      throw new ClusterException(lack.get() + ", or leave --link out");
    }
    if (given == null && lack.isPresent()) {
      console.say(
          "The nodes are loopback addresses, so their links are as fast as this machine and no"
              + " mode is faster for moving less: run as root with iproute2 to see that ("
              + lack.get()
              + ").");
    }
    LinkRate usual = lack.isPresent() ? LinkRate.UNLIMITED : DEFAULT_LINK;
    LinkRate rate = given == null ? usual : given;
    HostKind hosts = lack.isPresent() ? HostKind.LOOPBACK : HostKind.NAMESPACES;
    return Usage.checked(
        spec, () -> new DemoSpec(nodes, hosts, rate, SkySpec.ofTiles(tiles), modes, out));
  }
}
