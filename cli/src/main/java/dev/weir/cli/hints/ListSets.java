package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.Table;
import dev.weir.cli.common.Times;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.ServiceCalls;
import dev.weir.hints.client.SetPage;
import dev.weir.hints.client.SetQuery;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
      ServiceCommand.CODES
    })
final class ListSets extends ServiceCommand {
  private static final int PAGE = 1000;

  @Option(names = "--owner", paramLabel = "USER", description = "List only sets of this user.")
  private @Nullable String owner;

  @Option(
      names = "--prefix",
      paramLabel = "TEXT",
      description = "List only sets whose id has this prefix.")
  private @Nullable String prefix;

  @Override
  int run(HintsClient client, HdfsPaths paths) throws IOException {
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
    return tell(all, ListSets::table);
  }

  private static String table(JsonNode json) throws IOException {
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
}
