package dev.weir.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.Hint;
import dev.weir.hints.HintCodec;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.Rule;
import dev.weir.hints.store.StoredSet;
import dev.weir.service.part.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes hint sets in the codec's form, with defaults from the request. */
final class SetJson {
  /** A hint without any content. */
  static final Hint EMPTY_HINT = Hint.builder().build();

  private SetJson() {}

  /**
   * Parses the body of a PUT.
   *
   * @param id from the URL; an id in the body must be the same
   * @param caller the owner if the body names none
   */
  static HintSet read(ObjectNode body, String id, String caller) {
    if (!body.has("id")) {
      body.put("id", id);
    }
    if (!body.has("owner")) {
      body.put("owner", caller);
    }
    HintSet set = HintCodec.fromJson(body.toString(), InvalidInput.SOURCE);
    if (!set.id().equals(id)) {
      throw ProblemException.invalid(
          "/id",
          "the id is '" + set.id() + "' here and '" + id + "' in the URL; leave it out here",
          List.of(id));
    }
    return set;
  }

  /** Writes both forms into a response. */
  static void writeHint(Hint hint, ObjectNode answer) {
    answer.set("hint", RequestJson.parse(HintCodec.hintToJson(hint)));
    answer.put("text", HintText.format(hint));
  }

  static String pointer(int rule) {
    return "/rules/" + rule;
  }

  static List<Rule> rules(JsonNode rules) {
    ObjectNode set = RequestJson.object();
    set.put("id", "body");
    set.put("owner", "body");
    set.set("rules", rules);
    return HintCodec.fromJson(set.toString(), InvalidInput.SOURCE).rules();
  }

  static @Nullable Instant instant(String pointer, JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    try {
      return Instant.parse(value.asText());
    } catch (DateTimeException e) {
      throw ProblemException.invalid(
              pointer, value + " is not a time; write one such as 2030-01-31T12:00:00Z")
          .because(e);
    }
  }

  static String write(StoredSet stored) {
    try {
      ObjectNode node = (ObjectNode) RequestJson.parse(HintCodec.toJson(stored.set()));
      node.put("version", stored.version());
      int i = 0;
      for (Rule rule : stored.set().rules()) {
        ((ObjectNode) node.path("rules").path(i)).put("text", HintText.format(rule.hint()));
        i++;
      }
      return node.toString();
    } catch (ProblemException e) {
      throw new IllegalStateException("the codec's own form cannot be read", e);
    }
  }
}
