package dev.weir.cli.hints;

import dev.weir.cli.common.ExitCode;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.WriteOptions;
import dev.weir.hints.client.http.ServiceCall;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "rm",
    description = "Removes the hint of a path, or a hint set.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:",
      "  weir hints rm /data/reads",
      "  weir hints rm --set mosaic-17",
      "",
      ServiceOptions.CODES
    })
final class RemoveHint implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  static final class Target {
    @Parameters(
        paramLabel = "PATH",
        description = "The path, exactly as given to 'weir hints set'.")
    private @Nullable String path;

    @Option(names = "--set", paramLabel = "ID", description = "The hint set.")
    private @Nullable String set;
  }

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  private int run(HintsClient client, HdfsPaths paths) throws IOException {
    String set = target.set;
    String path = target.path == null ? "" : paths.resolve(target.path);
    ServiceCall call =
        set == null
            ? ServiceCalls.removeHint(path)
            : ServiceCalls.removeSet(set, WriteOptions.NONE);
    String what = set == null ? path + " has no hint of its own now" : "removed set " + set;
    service.tell(client, call, json -> what + System.lineSeparator());
    return ExitCode.DONE;
  }
}
