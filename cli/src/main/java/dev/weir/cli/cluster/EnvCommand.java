package dev.weir.cli.cluster;

import dev.weir.cluster.LocalCluster;
import dev.weir.workflow.format.ShellCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "env",
    description = "Prints what a shell must export for its Hadoop clients to reach a cluster.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  eval \"$(weir cluster env)\" && hadoop fs -ls /"})
final class EnvCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterChoice choice;

  @Option(
      names = "--user",
      paramLabel = "USER",
      description =
          "On a cluster of --secure: whose ticket the clients have, yours (default), which is that"
              + " of HDFS's superuser, or alice, a user without special rights.")
  private String user = System.getProperty("user.name");

  @Override
  public Integer call() throws IOException {
    LocalCluster cluster = choice.attach();
    PrintWriter out = spec.commandLine().getOut();
    export(out, "HADOOP_CONF_DIR", cluster.confDir().toString());
    export(out, "YARN_CONF_DIR", cluster.confDir().toString());
    String plugins =
        cluster.jars().plugins().stream().map(Path::toString).collect(Collectors.joining(":"));
    if (!plugins.isEmpty()) {
      // The configuration refers to classes of these jars.
      export(out, "HADOOP_CLASSPATH", plugins);
    }
    new TreeMap<>(cluster.clientEnvironment(user))
        .forEach((name, value) -> export(out, name, value));
    out.flush();
    return 0;
  }

  private static void export(PrintWriter out, String name, String value) {
    out.printf("export %s=%s%n", name, ShellCommand.quote(value));
  }
}
