package dev.weir.cli.common;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** JSON for {@code --json}. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** On several lines, without a line end after the last. */
  public static String pretty(JsonNode json) {
    DefaultIndenter indenter = new DefaultIndenter("  ", System.lineSeparator());
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    printer.indentObjectsWith(indenter);
    printer.indentArraysWith(indenter);
    try {
      return MAPPER.writer(printer).writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a tree as text", e);
    }
  }

  /**
   * Reads a text.
   *
   * @throws JsonProcessingException when it is not JSON
   */
  public static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }
}
