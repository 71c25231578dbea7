package dev.weir.bench.series;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Encodes the files of a series as JSON. A run is its record with the additional key {@code bench},
 * which readers of records ignore.
 */
final class SeriesCodec {
  private static final String BENCH = "bench";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new InstantParser()))
          .build();

  private SeriesCodec() {}

  /** The part of a run's file that is not its record. */
  private record Bench(PlannedRun id, RunNotes notes) {}

  private static final class InstantParser extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1;

    InstantParser() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String text, DeserializationContext context) {
      return Instant.parse(text);
    }
  }

  private static String toJson(RecordedRun run) throws IOException {
    ObjectNode root = (ObjectNode) JSON.readTree(RunRecordCodec.toJson(run.record()));
    root.set(BENCH, JSON.valueToTree(new Bench(run.id(), run.notes())));
    return root.toString();
  }

  static String toJson(Object value) throws IOException {
    return value instanceof RecordedRun run ? toJson(run) : JSON.writeValueAsString(value);
  }

  private static RecordedRun run(Path file) throws IOException {
    String json = Files.readString(file);
    RunRecord record = RunRecordCodec.fromJson(json, file.toString());
    Bench bench = value(JSON.readTree(json).path(BENCH), file + ", " + BENCH, Bench.class);
    return new RecordedRun(bench.id(), record, bench.notes());
  }

  /**
   * Reads a file of a series.
   *
   * @throws IOException if it does not have such a value; the message names the file
   */
  static <T> T read(Path file, Class<T> type) throws IOException {
    if (type == RecordedRun.class) {
      return type.cast(run(file));
    }
    try {
      return value(JSON.readTree(Files.readString(file)), file.toString(), type);
    } catch (JsonProcessingException e) {
      throw problem(file.toString(), e);
    }
  }

  private static <T> T value(JsonNode node, String source, Class<T> type) throws IOException {
    try {
      T value = JSON.treeToValue(node, type);
      if (value == null) {
        throw new IllegalArgumentException("missing");
      }
      return value;
    } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
      throw problem(source, e);
    }
  }

  private static IOException problem(String source, Exception why) {
    return new IOException(
        source
            + ": "
            + why.getMessage()
            + "; remove the file to have its run made again, or name another directory with --out",
        why);
  }
}
