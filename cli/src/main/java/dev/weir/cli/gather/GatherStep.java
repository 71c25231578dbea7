package dev.weir.cli.gather;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.cluster.ClientConfiguration;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.hdfs.gather.GatherClient;
import dev.weir.hdfs.gather.GatherException;
import java.io.IOException;
import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the commands for gathers, and how their failures are reported. */
final class GatherStep {
  /** The help text about exit codes. */
  static final String CODES =
      "Exit code: 0 done, 1 failed, 2 wrong usage, 3 no such gather, 4 refused by HDFS.";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private ClientConfiguration cluster;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  /** What a command does. */
  interface Work {
    void run() throws IOException;
  }

  /** Does the work and returns the exit code. */
  int run(Work work) throws IOException {
    try {
      work.run();
      return ExitCode.DONE;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (GatherException e) {
      complain(e);
      return switch (e.problem()) {
        case WRONG_USAGE, NOT_HDFS, ENCRYPTED -> ExitCode.WRONG_USAGE;
        case NO_SUCH_GATHER -> ExitCode.NOT_FOUND;
        default -> ExitCode.FAILED;
      };
    } catch (AccessControlException e) {
      complain(e);
      return ExitCode.REFUSED;
    }
  }

  /** Returns the client for gathers in the file system of a path. */
  GatherClient gathers(String path) throws IOException {
    Configuration configuration = cluster.loadIfClear();
    UserGroupInformation.setConfiguration(configuration);
    FileSystem fs = new Path(path).getFileSystem(configuration);
    return GatherClient.on(fs);
  }

  /** Prints the result as text or JSON. */
  void tell(String words, ObjectNode node) {
    spec.commandLine().getOut().println(json ? Json.pretty(node) : words);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private void complain(IOException failure) {
    PrintWriter err = spec.commandLine().getErr();
    String message = String.valueOf(failure.getMessage());
    err.println("weir: " + message.lines().findFirst().orElse(message));
    err.flush();
  }
}
