package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.hints.client.FileLocations;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.NodeBytes;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.http.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "locate",
    description = {
      "Lists the nodes that store the bytes of files, best first.",
      "It exits with 3 if a file does not exist, and with 4 if you may not read one."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir locate /data/reads/a.fastq /data/genome.fa",
      "",
      ServiceOptions.CODES
    })
public final class LocateCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "PATH", description = "The files; at most 10,000.")
  private List<String> paths;

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  private int run(HintsClient client, HdfsPaths resolver) throws IOException {
    List<String> absolute = new ArrayList<>();
    for (String path : paths) {
      absolute.add(resolver.resolve(path));
    }
    Answer answer = service.tell(client, ServiceCalls.locations(absolute), LocateCommand::table);
    int code = ExitCode.DONE;
    for (FileLocations file : FileLocations.listOf(answer.json())) {
      String error = file.error();
      if (error != null) {
        code = Math.max(code, code(error));
      }
    }
    return code;
  }

  private static int code(String error) {
    return switch (error) {
      case "not-found" -> ExitCode.NOT_FOUND;
      case "not-readable" -> ExitCode.REFUSED;
      default -> ExitCode.FAILED;
    };
  }

  private static String table(JsonNode json) throws IOException {
    Table table = new Table("PATH", "BYTES#", "BLOCKS#", "NODES");
    for (FileLocations file : FileLocations.listOf(json)) {
      String error = file.error();
      if (error == null) {
        table.row(file.path(), Sizes.of(file.bytes()), file.blocks(), nodes(file));
      } else {
        table.row(file.path(), "-", "-", error.replace('-', ' '));
      }
    }
    return table.toString();
  }

  private static String nodes(FileLocations file) {
    return file.nodes().stream()
        .map(node -> node.host() + share(node, file.bytes()) + memory(node))
        .collect(Collectors.joining(", "));
  }

  /** Returns the share of a node that has not all bytes. */
  private static String share(NodeBytes node, long all) {
    return node.bytes() == all ? "" : " " + Sizes.of(node.bytes());
  }

  private static String memory(NodeBytes node) {
    return node.cachedBytes() == 0 ? "" : " (" + Sizes.of(node.cachedBytes()) + " in memory)";
  }
}
