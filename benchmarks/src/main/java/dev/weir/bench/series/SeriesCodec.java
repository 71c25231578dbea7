package dev.weir.bench.series;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.RunRecord;
import dev.weir.workflow.record.RunRecordCodec;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Encodes the files of a series as JSON. A run is its record with the additional key {@code bench},
 * which readers of records ignore.
 */
final class SeriesCodec {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String BENCH = "bench";
  private static final String SESSION = "session";
  private static final String BEGUN = "begun";
  private static final String REPLICAS = "replicas";
  private static final String SETUP = "setup";
  private static final String REPEAT = "repeat";
  private static final String REMEDY =
      "; remove the file to have its run made again, or name another directory with --out";

  private SeriesCodec() {}

  static String toJson(RecordedRun run) throws IOException {
    ObjectNode root = (ObjectNode) JSON.readTree(RunRecordCodec.toJson(run.record()));
    RunNotes notes = run.notes();
    RunSteps steps = notes.steps();
    ObjectNode bench =
        root.putObject(BENCH)
            .put("group", run.id().group())
            .put(SETUP, run.id().setup())
            .put(REPEAT, run.id().repeat())
            .put(SESSION, notes.session())
            .put(BEGUN, notes.begun().toString())
            .put("network-bytes", notes.usage().networkBytes())
            .put("peak-storage-bytes", notes.usage().peakStorage());
    bench
        .putObject("step-seconds")
        .put("provide", steps.provide())
        .put("rest", steps.rest())
        .put("run", steps.run())
        .put("settle", steps.settle())
        .put("fetch", steps.fetch())
        .put("clean", steps.clean());
    if (notes.replicas() > 0) {
      bench.put(REPLICAS, notes.replicas());
    }
    return root.toString();
  }

  /**
   * Parses a run.
   *
   * @param source the file, for messages
   * @throws IOException if it is not a run of a series
   */
  static RecordedRun run(String json, String source) throws IOException {
    RunRecord record = RunRecordCodec.fromJson(json, source);
    Place bench = place(json, source).under(BENCH);
    Place steps = bench.under("step-seconds");
    return new RecordedRun(
        new PlannedRun(bench.text("group"), bench.text(SETUP), bench.integer(REPEAT)),
        record,
        new RunNotes(
            bench.integer(SESSION),
            bench.moment(BEGUN),
            new RunUsage(
                (long) bench.number("network-bytes"), (long) bench.number("peak-storage-bytes")),
            new RunSteps(
                steps.number("provide"),
                steps.number("rest"),
                steps.number("run"),
                steps.number("settle"),
                steps.number("fetch"),
                steps.number("clean")),
            bench.node().has(REPLICAS) ? bench.integer(REPLICAS) : 0));
  }

  static String toJson(Session session) {
    return JSON.createObjectNode()
        .put("number", session.number())
        .put(BEGUN, session.begun().toString())
        .put("link-bytes-per-second", session.bytesPerSecond())
        .put("load", session.load())
        .put("commit", session.commit())
        .toString();
  }

  static Session session(String json, String source) throws IOException {
    Place at = place(json, source);
    return new Session(
        at.integer("number"),
        at.moment(BEGUN),
        at.number("link-bytes-per-second"),
        at.number("load"),
        at.text("commit"));
  }

  static String toJson(LocalRunTime local) {
    return JSON.createObjectNode()
        .put(REPEAT, local.repeat())
        .put(SESSION, local.session())
        .put("seconds", local.seconds())
        .toString();
  }

  static LocalRunTime local(String json, String source) throws IOException {
    Place at = place(json, source);
    return new LocalRunTime(at.integer(REPEAT), at.integer(SESSION), at.number("seconds"));
  }

  static String toJson(FailedRun failed) {
    return JSON.createObjectNode()
        .put(SETUP, failed.id().setup())
        .put(REPEAT, failed.id().repeat())
        .put("reason", failed.reason())
        .toString();
  }

  static FailedRun failed(String group, String json, String source) throws IOException {
    Place at = place(json, source);
    PlannedRun planned = new PlannedRun(group, at.text(SETUP), at.integer(REPEAT));
    return new FailedRun(planned, at.text("reason"));
  }

  static String toJson(SeriesParameters parameters) {
    ObjectNode node = JSON.createObjectNode();
    parameters.values().forEach(node::put);
    return node.toPrettyString();
  }

  static SeriesParameters parameters(String json, String source) throws IOException {
    SortedMap<String, String> values = new TreeMap<>();
    JsonNode root = place(json, source).node();
    root.fields().forEachRemaining(one -> values.put(one.getKey(), one.getValue().asText()));
    return new SeriesParameters(values);
  }

  private static Place place(String json, String source) throws IOException {
    try {
      return new Place(JSON.readTree(json), source);
    } catch (JsonProcessingException e) {
      throw new IOException(source + ": not JSON: " + e.getOriginalMessage() + REMEDY, e);
    }
  }

  /** A JSON object and the file that it is from. */
  private record Place(JsonNode node, String source) {
    Place under(String key) {
      return new Place(node.path(key), source + ", " + key);
    }

    String text(String key) throws IOException {
      if (!node.path(key).isTextual()) {
        throw problem(key, "not a text");
      }
      return node.path(key).textValue();
    }

    double number(String key) throws IOException {
      if (!node.path(key).isNumber()) {
        throw problem(key, "not a number");
      }
      return node.path(key).doubleValue();
    }

    int integer(String key) throws IOException {
      if (!node.path(key).isInt()) {
        throw problem(key, "not a whole number");
      }
      return node.path(key).intValue();
    }

    Instant moment(String key) throws IOException {
      try {
        return Instant.parse(text(key));
      } catch (DateTimeException e) {
        throw new IOException(problem(key, "not a time").getMessage(), e);
      }
    }

    private IOException problem(String key, String problem) {
      return new IOException(source + ", " + key + ": " + problem + REMEDY);
    }
  }
}
