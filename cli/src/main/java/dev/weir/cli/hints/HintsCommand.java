package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Sizes;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.TimeSpanConverter;
import dev.weir.cli.common.Times;
import dev.weir.hints.client.EffectiveHint;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.SetPage;
import dev.weir.hints.client.SetQuery;
import dev.weir.hints.client.VersionedSet;
import dev.weir.hints.client.WatcherList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir hints}: the commands for hints. */
@Command(
    name = "hints",
    description = {
      "Sets and shows hints, by which HDFS places files near their readers.",
      "The hints service is that of weir.server.url in weir-site.xml; see 'weir help server'."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      SetHint.class,
      RemoveHint.class,
      ImportSet.class,
      InferHints.class,
      ExplainCommand.class,
      ProfileCommand.class
    },
    footer = {
      "",
      "A hint is pipeline, broadcast=8, reduce=GROUP, scatter=64m, gather=64m or"
          + " reuse, or a combination of parts; see docs/hints.md.",
      "",
      "Example:",
      "  weir hints set /data/reads pipeline",
      "  weir hints set /data/genome.fa broadcast=8 --expires 12h --await",
      "  weir hints get /data/reads/a.fastq",
      "  weir hints rm /data/reads",
      "",
      ServiceOptions.CODES
    })
public final class HintsCommand {
  private static final int PAGE = 1000;

  @Command(
      name = "get",
      description = "Shows the effective hint of a path and the rule that it comes from.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints get /data/reads/a.fastq", "", ServiceOptions.CODES})
  int get(
      @Parameters(paramLabel = "PATH", description = "The path.") String path,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run((client, paths) -> get(paths.resolve(path), service, client, paths));
  }

  static int get(String path, ServiceOptions service, HintsClient client, HdfsPaths paths)
      throws IOException {
    paths.attributeWarnings(path, client).forEach(service::warn);
    return service.tell(
        client.send(ServiceCalls.hint(path)).json(),
        json -> {
          EffectiveHint hint = EffectiveHint.of(json);
          return String.format(
              "%s is %s%n  pattern  %s%n  set      %s of %s, version %d%n",
              hint.path(), hint.text(), hint.pattern(), hint.set(), hint.owner(), hint.version());
        });
  }

  @Command(
      name = "ls",
      description = "Lists hint sets.",
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Example:",
        "  weir hints ls",
        "  weir hints ls --owner ann --prefix mosaic-",
        "",
        ServiceOptions.CODES
      })
  int list(
      @Option(names = "--owner", paramLabel = "USER", description = "List only sets of this user.")
          @Nullable String owner,
      @Option(
              names = "--prefix",
              paramLabel = "TEXT",
              description = "List only sets whose id has this prefix.")
          @Nullable String prefix,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) -> {
          ObjectNode all = JsonNodeFactory.instance.objectNode();
          ArrayNode sets = all.putArray("hint-sets");
          SetQuery query = new SetQuery(owner, prefix, null, PAGE);
          @Nullable String next;
          do {
            JsonNode page = client.send(ServiceCalls.sets(query)).json();
            page.path("hint-sets").forEach(sets::add);
            next = SetPage.of(page).next();
            if (next != null) {
              query = query.after(next);
            }
          } while (next != null);
          return service.tell(all, HintsCommand::sets);
        });
  }

  private static String sets(JsonNode json) throws IOException {
    Table table = new Table("ID", "OWNER", "RULES#", "VERSION#", "EXPIRES");
    for (SetPage.Entry set : SetPage.of(json).sets()) {
      String expires = set.expires();
      table.row(
          set.id(),
          set.owner(),
          set.rules(),
          set.version(),
          expires == null ? "never" : Times.of(expires));
    }
    return table.isEmpty() ? "No hint sets." + System.lineSeparator() : table.toString();
  }

  @Command(
      name = "export",
      description = {
        "Writes a hint set as JSON, for 'weir hints import'.",
        "With --json it writes the service's answer, which also contains the version"
            + " and short forms of the hints."
      },
      mixinStandardHelpOptions = true,
      footer = {
        "",
        "Example:",
        "  weir hints export mosaic-17 -o mosaic-17.json",
        "",
        ServiceOptions.CODES
      })
  int exportSet(
      @Parameters(paramLabel = "ID", description = "The hint set.") String id,
      @Option(
              names = {"-o", "--out"},
              paramLabel = "FILE",
              description = "File to write (default: standard output).")
          @Nullable Path out,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) -> {
          JsonNode set = client.send(ServiceCalls.set(id)).json();
          if (out == null) {
            return service.tell(set, HintsCommand::plain);
          }
          Files.writeString(out, plain(set));
          return ExitCode.DONE;
        });
  }

  private static String plain(JsonNode json) throws IOException {
    return SetFile.of(VersionedSet.setOf(json)) + System.lineSeparator();
  }

  @Command(
      name = "keep",
      description = "Changes when a hint set expires.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints keep mosaic-17 --for 12h", "", ServiceOptions.CODES})
  int keep(
      @Parameters(paramLabel = "ID", description = "The hint set.") String id,
      @Option(
              names = "--for",
              paramLabel = "TIME",
              required = true,
              converter = TimeSpanConverter.class,
              description = "Time from now, such as 12h or 2d.")
          Duration time,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) ->
            service.tell(
                client.send(ServiceCalls.keepAlive(id, time)).json(),
                json -> {
                  String end = json.path("expires").asText("");
                  return "set "
                      + id
                      + (end.isEmpty() ? " is kept" : " expires at " + Times.of(end))
                      + System.lineSeparator();
                }));
  }

  @Command(
      name = "watchers",
      description =
          "Lists the processes that follow hints, with the versions that they have applied.",
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints watchers", "", ServiceOptions.CODES})
  int watchers(@Mixin ServiceOptions service) throws IOException {
    return service.run(
        (client, paths) ->
            service.tell(client.send(ServiceCalls.watchers()).json(), HintsCommand::watchers));
  }

  private static String watchers(JsonNode json) throws IOException {
    WatcherList list = WatcherList.of(json);
    Table table = new Table("ROLE", "HOST", "PROCESS", "VERSION#", "STATE");
    for (WatcherList.Watcher watcher : list.watchers()) {
      Boolean active = watcher.active();
      table.row(
          watcher.role(),
          watcher.host().isEmpty() ? "-" : watcher.host(),
          watcher.process().isEmpty() ? "-" : watcher.process(),
          watcher.version(),
          (watcher.behind() ? "behind" : "up to date")
              + (active == null ? "" : active ? ", active" : ", standby"));
    }
    String latest = "The hints are at version " + list.version() + "." + System.lineSeparator();
    return latest + (table.isEmpty() ? "No process follows them." + System.lineSeparator() : table);
  }

  @Command(
      name = "auto",
      description = {
        "Shows the replicas that the hint auto gives files by their use; for administrators.",
        "With weir.replication.auto.enabled = false nothing is changed, only planned."
      },
      mixinStandardHelpOptions = true,
      footer = {"", "Example:", "  weir hints auto --plan", "", ServiceOptions.CODES})
  int auto(
      @Option(names = "--plan", description = "List the changes that the last round planned.")
          boolean plan,
      @Mixin ServiceOptions service)
      throws IOException {
    return service.run(
        (client, paths) ->
            service.tell(
                client.send(ServiceCalls.autoPlan()).json(), json -> autoPlan(json, plan)));
  }

  private static String autoPlan(JsonNode json, boolean plan) {
    long counting = json.path("namenodes-counting").asLong();
    String text =
        String.format(
            Locale.ROOT,
            "files     %d under auto%ncopies    %s of a budget of %s%ncounts    of %d NameNode%s%s%n"
                + "changes   %d planned%n",
            json.path("files").asLong(),
            Sizes.of(json.path("bytes").asLong()),
            Sizes.of(json.path("budget").asLong()),
            counting,
            counting == 1 ? "" : "s",
            json.path("counts-established").asBoolean()
                ? ""
                : ", for less than a half-life: no copy is removed yet",
            json.path("changes").asLong());
    if (!plan || json.path("plan").isEmpty()) {
      return text;
    }
    Table table = new Table("PATH", "OWN#", "NOW#", "THEN#", "UTILITY#");
    for (JsonNode change : json.path("plan")) {
      table.row(
          change.path("path").asText(),
          change.path("own").asInt(),
          change.path("from").asInt(),
          change.path("to").asInt(),
          String.format(Locale.ROOT, "%.2f", change.path("utility").asDouble()));
    }
    return text + table;
  }
}
