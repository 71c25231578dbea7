package dev.weir.workflow.staging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Deserializes equal texts of one JSON document to one object. A plan repeats the id of each file
 * wherever it is written, read or passed to a command, and repeats each program for each task.
 */
final class SharedText extends StdScalarDeserializer<String> {

  private static final long serialVersionUID = 1L;

  /**
   * Does not intern field names, because the ids of files are field names and their number is
   * unlimited.
   */
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                  .build())
          .addModule(
              new SimpleModule()
                  .addDeserializer(String.class, new SharedText())
                  .addKeyDeserializer(String.class, new Keys()))
          .build();

  private SharedText() {
    super(String.class);
  }

  /**
   * Returns a reader for one document. It must be used once, because it keeps all texts that it has
   * read.
   */
  static ObjectReader reader(Class<?> type) {
    return JSON.readerFor(type).withAttribute(SharedText.class, new HashMap<String, String>());
  }

  @Override
  public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
    return shared(StringDeserializer.instance.deserialize(in, context), context);
  }

  private static String shared(String text, DeserializationContext context) {
    @SuppressWarnings("unchecked") // reader() sets it
    Map<String, String> known = (Map<String, String>) context.getAttribute(SharedText.class);
    String first = known.putIfAbsent(text, text);
    return first == null ? text : first;
  }

  /** Shares the keys of maps. */
  private static final class Keys extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context) {
      return shared(key, context);
    }
  }
}
