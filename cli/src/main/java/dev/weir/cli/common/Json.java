package dev.weir.cli.common;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;

public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** Formats JSON on several lines, without a line end after the last. */
  public static String pretty(JsonNode json) {
    try {
      return MAPPER.writer(printer()).writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a tree as text", e);
    }
  }

  /**
   * Copies JSON of any length in the format of {@link #pretty}.
   *
   * @param in one value, in UTF-8
   * @param out receives the text; flushed, not closed
   * @throws JsonProcessingException if it is not JSON
   */
  public static void copyPretty(InputStream in, Writer out) throws IOException {
    JsonFactory factory = MAPPER.getFactory();
    try (JsonParser parser = factory.createParser(in);
        JsonGenerator json = factory.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).setPrettyPrinter(printer());
      while (parser.nextToken() != null) {
        json.copyCurrentEvent(parser);
      }
    }
  }

  private static DefaultPrettyPrinter printer() {
    DefaultIndenter indenter = new DefaultIndenter("  ", System.lineSeparator());
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter(
            Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
    printer.indentObjectsWith(indenter);
    printer.indentArraysWith(indenter);
    return printer;
  }

  /**
   * Parses JSON.
   *
   * @throws JsonProcessingException when it is not JSON
   */
  public static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }
}
