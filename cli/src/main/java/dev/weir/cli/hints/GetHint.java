package dev.weir.cli.hints;

import dev.weir.cli.common.ExitCode;
import dev.weir.hints.client.EffectiveHint;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "get",
    description = "Shows the effective hint of a path and the rule that it comes from.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  weir hints get /data/reads/a.fastq", "", ServiceCommand.CODES})
final class GetHint extends ServiceCommand {
  @Parameters(paramLabel = "PATH", description = "The path.")
  private String path;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
    String resolved = paths.resolve(path);
    paths.attributeWarnings(resolved, client).forEach(this::warn);
    tell(
        client,
        ServiceCalls.hint(resolved),
        json -> {
          EffectiveHint hint = EffectiveHint.of(json);
          return String.format(
              "%s is %s%n  pattern  %s%n  set      %s of %s, version %d%n",
              hint.path(), hint.text(), hint.pattern(), hint.set(), hint.owner(), hint.version());
        });
    return ExitCode.DONE;
  }
}
