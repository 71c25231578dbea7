package dev.weir.service.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** Stores lists of strings in one column, as JSON. */
public final class StringListColumn {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StringListColumn() {}

  public static String toText(List<String> words) {
    try {
      return JSON.writeValueAsString(words);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a list of strings is always JSON", e);
    }
  }

  public static List<String> of(String text) {
    try {
      return List.of(JSON.readValue(text, String[].class));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the database has no list of strings: " + text, e);
    }
  }
}
