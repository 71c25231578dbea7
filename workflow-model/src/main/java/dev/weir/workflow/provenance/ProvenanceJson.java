package dev.weir.workflow.provenance;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Reads and writes run records and lineages as JSON: kebab-case keys, times in ISO 8601, null
 * values omitted. Unknown keys are rejected. Thread-safe.
 */
public final class ProvenanceJson {
  private static final int MAX_NESTING = 32;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .serializationInclusion(JsonInclude.Include.NON_NULL)
          .addModule(
              new SimpleModule("times")
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new InstantDeserializer()))
          .build();

  private ProvenanceJson() {}

  /**
   * Writes a value.
   *
   * @param value one of the records of this package
   * @return JSON on one line, in UTF-8
   */
  public static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write " + value.getClass() + " as JSON", e);
    }
  }

  /**
   * Writes a value as a tree.
   *
   * @param value one of the records of this package
   */
  public static JsonNode toTree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * Reads a value.
   *
   * @param json JSON in UTF-8
   * @param type one of the records of this package
   * @throws JsonProcessingException if it is not JSON or not such a value
   * @throws IOException if it is not UTF-8
   */
  public static <T> T read(byte[] json, Class<T> type) throws IOException {
    return MAPPER.readValue(json, type);
  }

  /**
   * Reads a value from a tree.
   *
   * @param type one of the records of this package
   * @throws JsonProcessingException if it is not such a value
   */
  public static <T> T read(JsonNode json, Class<T> type) throws JsonProcessingException {
    return MAPPER.treeToValue(json, type);
  }

  /** Parses times without Jackson's module for java.time, which Hadoop does not ship. */
  private static final class InstantDeserializer extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantDeserializer() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String value, DeserializationContext context)
        throws IOException {
      try {
        return Instant.parse(value);
      } catch (DateTimeException e) {
        throw InvalidFormatException.from(
            context.getParser(),
            "'" + value + "' is not a time; write one such as 2026-11-21T17:00:00Z",
            value,
            Instant.class);
      }
    }
  }
}
