package dev.weir.hints.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list of hint sets.
 *
 * @param next the id to continue after; null on the last page
 */
public record SetPage(List<Entry> sets, @Nullable String next) {
  public SetPage {
    sets = List.copyOf(sets);
  }

  /**
   * An entry of the list.
   *
   * @param expires when it expires, in ISO 8601; null for never
   */
  public record Entry(String id, String owner, @Nullable String expires, long rules, long version) {
    private static Entry of(JsonNode json) throws IOException {
      return new Entry(
          JsonReader.text(json, "id"),
          JsonReader.text(json, "owner"),
          JsonReader.optionalText(json, "expires"),
          JsonReader.number(json, "rules"),
          JsonReader.number(json, "version"));
    }
  }

  public static SetPage of(JsonNode json) throws IOException {
    return new SetPage(
        JsonReader.list(json, "hint-sets", Entry::of), JsonReader.optionalText(json, "next"));
  }
}
