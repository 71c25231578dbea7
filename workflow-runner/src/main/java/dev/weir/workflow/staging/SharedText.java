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
 * Reads JSON so that equal texts of one document are one object: a plan names each file wherever it
 * is written, read or passed to a command, and each program once for each task.
 */
final class SharedText extends StdScalarDeserializer<String> {

  private static final long serialVersionUID = 1L;

  /** Ids of files are names of fields to it, and there is no end of them. */
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

  /** What reads one document; to be used once, for it keeps what it has read. */
  static ObjectReader reader(Class<?> type) {
    return JSON.readerFor(type).withAttribute(SharedText.class, new HashMap<String, String>());
  }

  @Override
  public String deserialize(JsonParser in, DeserializationContext context) throws IOException {
    return shared(StringDeserializer.instance.deserialize(in, context), context);
  }

  private static String shared(String text, DeserializationContext context) {
    @SuppressWarnings("unchecked") // It is what the reader was given.
    Map<String, String> known = (Map<String, String>) context.getAttribute(SharedText.class);
    String first = known.putIfAbsent(text, text);
    return first == null ? text : first;
  }

  /** Of maps. */
  private static final class Keys extends KeyDeserializer {
    @Override
    public Object deserializeKey(String key, DeserializationContext context) {
      return shared(key, context);
    }
  }
}
