package dev.weir.workflow.record;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.JsonPlace;
import dev.weir.workflow.record.TaskRecord.Phases;
import dev.weir.workflow.record.TaskRecord.Traffic;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads and writes run records as JSON with kebab-case keys. Times are ISO-8601 in UTC, and
 * durations are ISO-8601 ({@code PT1.5S}), so that nothing is rounded. Unknown keys are ignored, so
 * that older readers can read the records of newer writers.
 */
public final class RunRecordCodec {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CACHED = "input-bytes-cached";
  private static final String CPU = "cpu";
  private static final String PEAK_MEMORY = "peak-memory-bytes";
  private static final String CACHE_BYTES = "node-cache-bytes";
  private static final String DISK_FREE = "node-disk-free-bytes";
  private static final String MESSAGE = "message";
  private static final String REUSED = "reused";
  private static final String CACHES = "caches";
  private static final String BETWEEN = "bytes-between";
  private static final String DELETED = "deleted";
  private static final String NODES = "nodes";
  private static final String ON_NODE = "on-node";

  private RunRecordCodec() {}

  /** Writes a record as one line of JSON, without a line end. */
  public static String toJson(RunRecord run) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.getFactory().createGenerator(text)) {
      write(run, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * Reads a record.
   *
   * @param json the JSON text
   * @param source name of the text in messages, such as its file
   * @throws IOException if it is not a run record; the message names source, position and remedy
   */
  public static RunRecord fromJson(String json, String source) throws IOException {
    JsonNode root;
    try {
      root = JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IOException(
          source
              + ":"
              + e.getLocation().getLineNr()
              + ":"
              + e.getLocation().getColumnNr()
              + ": not JSON: "
              + e.getOriginalMessage()
              + "; write the record again",
          e);
    }
    return run(new JsonPlace(root, source, ""));
  }

  /**
   * Writes a record to a file.
   *
   * @param run the record; an unpaired surrogate in its texts is written as a question mark
   * @param file the file, which is replaced if it exists
   */
  public static void write(RunRecord run, Path file) throws IOException {
    // An unpaired surrogate, as in a truncated message, must not prevent the record from being
    // written.
    Files.write(file, (toJson(run) + "\n").getBytes(UTF_8));
  }

  /**
   * Reads a record from a file.
   *
   * @throws IOException if it cannot be read or is not a run record
   */
  public static RunRecord read(Path file) throws IOException {
    return fromJson(Files.readString(file), file.toString());
  }

  /**
   * Writes a record attempt by attempt, to bound memory for runs of a hundred thousand tasks.
   *
   * @param run the record; an unpaired surrogate in its texts is written as a question mark
   * @param out the target; flushed, not closed
   */
  public static void write(RunRecord run, OutputStream out) throws IOException {
    // A generator that encodes itself would write an unpaired surrogate as an escape.
    JsonGenerator json =
        JSON.getFactory()
            .createGenerator(new OutputStreamWriter(out, UTF_8))
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    write(run, json);
    json.flush();
  }

  private static void write(RunRecord run, JsonGenerator json) throws IOException {
    json.writeStartObject();
    for (Iterator<Map.Entry<String, JsonNode>> head = headNode(run).fields(); head.hasNext(); ) {
      Map.Entry<String, JsonNode> field = head.next();
      json.writeFieldName(field.getKey());
      JSON.writeTree(json, field.getValue());
    }
    writeAll(json, "tasks", run.tasks(), RunRecordCodec::toNode);
    if (!run.reused().isEmpty()) {
      writeAll(json, REUSED, run.reused(), RunRecordCodec::toNode);
    }
    json.writeEndObject();
  }

  private static <T> void writeAll(
      JsonGenerator json, String key, List<T> values, Function<T, ObjectNode> writer)
      throws IOException {
    json.writeArrayFieldStart(key);
    for (T value : values) {
      JSON.writeTree(json, writer.apply(value));
    }
    json.writeEndArray();
  }

  private static ObjectNode toNode(ReusedTask task) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("task", task.task())
            .put("type", task.type())
            .put("run", task.run());
    put(node, "outputs", task.outputs());
    return node;
  }

  private static ObjectNode headNode(RunRecord run) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("run-id", run.runId())
            .put("workflow", run.workflow())
            .put("mode", run.mode())
            .put("state", run.state().name())
            .put("started", run.started().toString())
            .put("ended", run.ended().toString());
    if (!run.caches().equals(CacheTraffic.NONE)) {
      node.putObject(CACHES).put(BETWEEN, run.caches().between());
    }
    if (!run.tidied().equals(DeletedFiles.NOTHING)) {
      node.putObject(DELETED)
          .put("files", run.tidied().files())
          .put("bytes", run.tidied().bytes())
          .put("left", run.tidied().left());
    }
    ArrayNode workers = node.putArray("workers");
    run.workers().forEach(worker -> workers.add(toNode(worker)));
    return node;
  }

  private static ObjectNode toNode(WorkerRecord worker) {
    return JSON.createObjectNode()
        .put("id", worker.id())
        .put("node", worker.node())
        .put("rack", worker.rack())
        .put("started", worker.started().toString())
        .put("ended", worker.ended().toString());
  }

  private static ObjectNode toNode(TaskRecord task) {
    ObjectNode node = attemptNode(task);
    if (task.traffic().inputCached() > 0) {
      node.put(CACHED, task.traffic().inputCached());
    }
    if (!task.effort().equals(ResourceUse.NONE)) {
      node.put(CPU, Duration.ofMillis(task.effort().cpuMillis()).toString())
          .put(PEAK_MEMORY, task.effort().peakMemoryBytes());
    }
    if (!task.fill().equals(NodeFill.UNKNOWN)) {
      node.put(CACHE_BYTES, task.fill().cacheBytes()).put(DISK_FREE, task.fill().diskFreeBytes());
    }
    if (!task.placement().equals(PlacementReason.UNKNOWN)) {
      PlacementReasonCodec.put(node, task.placement());
    }
    if (!task.message().isEmpty()) {
      node.put(MESSAGE, task.message());
    }
    put(node, "inputs", task.files().inputs());
    put(node, "outputs", task.files().outputs());
    return node;
  }

  private static void put(ObjectNode node, String key, List<FileRecord> files) {
    if (files.isEmpty()) {
      return;
    }
    ArrayNode list = node.putArray(key);
    for (FileRecord file : files) {
      ObjectNode entry = list.addObject().put("file", file.file()).put("bytes", file.bytes());
      if (file.isSummed()) {
        entry.put("crc32c", Checksum.toHex(file.crc32c()));
      }
      put(entry, NODES, file.nodes());
      put(entry, CACHES, file.caches());
      if (file.onNode()) {
        entry.put(ON_NODE, true);
      }
    }
  }

  private static void put(ObjectNode entry, String key, Map<String, Long> bytesByHost) {
    if (!bytesByHost.isEmpty()) {
      ObjectNode hosts = entry.putObject(key);
      new TreeMap<>(bytesByHost).forEach(hosts::put);
    }
  }

  private static ObjectNode attemptNode(TaskRecord task) {
    return JSON.createObjectNode()
        .put("task", task.task())
        .put("type", task.type())
        .put("attempt", task.attempt())
        .put("worker", task.worker())
        .put("node", task.node())
        .put("outcome", task.outcome().name())
        .put("exit-code", task.exitCode())
        .put("ready", task.ready().toString())
        .put("dispatched", task.dispatched().toString())
        .put("stage-in-local", task.phases().stageInLocal().toString())
        .put("stage-in-remote", task.phases().stageInRemote().toString())
        .put("run", task.phases().run().toString())
        .put("stage-out", task.phases().stageOut().toString())
        .put("input-bytes-local", task.traffic().inputLocal())
        .put("input-bytes-remote", task.traffic().inputRemote())
        .put("output-bytes", task.traffic().output())
        .put("output-bytes-remote", task.traffic().outputRemote());
  }

  private static RunRecord run(JsonPlace at) throws IOException {
    List<WorkerRecord> workers = new ArrayList<>();
    for (JsonPlace worker : elements(at, "workers")) {
      workers.add(worker(worker));
    }
    List<TaskRecord> tasks = new ArrayList<>();
    for (JsonPlace task : elements(at, "tasks")) {
      tasks.add(task(task));
    }
    List<ReusedTask> reused = new ArrayList<>();
    if (at.has(REUSED)) {
      for (JsonPlace task : elements(at, REUSED)) {
        String id = string(task, "task");
        reused.add(
            new ReusedTask(id, string(task, "type"), string(task, "run"), files(task, "outputs")));
      }
    }
    String runId = string(at, "run-id");
    String workflow = string(at, "workflow");
    String mode = string(at, "mode");
    RunState state = at.at("state").parsed(RunState::valueOf);
    Instant started = at.at("started").parsed(Instant::parse);
    Instant ended = at.at("ended").parsed(Instant::parse);
    DeletedFiles tidied = at.has(DELETED) ? tidied(at.at(DELETED)) : DeletedFiles.NOTHING;
    RunRecord run =
        made(
            at,
            () ->
                new RunRecord(runId, workflow, mode, state, started, ended, workers, tasks)
                    .with(reused)
                    .with(tidied));
    return at.has(CACHES) ? run.with(caches(at.at(CACHES))) : run;
  }

  private static DeletedFiles tidied(JsonPlace at) throws IOException {
    int files = at.at("files").smallInteger();
    long bytes = at.at("bytes").integer();
    int left = at.at("left").smallInteger();
    return made(at, () -> new DeletedFiles(files, bytes, left));
  }

  private static CacheTraffic caches(JsonPlace at) throws IOException {
    long between = at.at(BETWEEN).integer();
    return made(at, () -> new CacheTraffic(between));
  }

  private static WorkerRecord worker(JsonPlace at) throws IOException {
    Instant started = at.at("started").parsed(Instant::parse);
    Instant ended = at.at("ended").parsed(Instant::parse);
    String node = string(at, "node");
    String rack = string(at, "rack");
    String id = string(at, "id");
    return made(at, () -> new WorkerRecord(id, node, rack, started, ended));
  }

  private static TaskRecord task(JsonPlace at) throws IOException {
    TaskRecord.Builder task =
        TaskRecord.builder(string(at, "task"), string(at, "type"), at.at("attempt").smallInteger())
            .worker(string(at, "worker"), string(at, "node"))
            .outcome(at.at("outcome").parsed(Outcome::valueOf), at.at("exit-code").smallInteger())
            .times(
                at.at("ready").parsed(Instant::parse), at.at("dispatched").parsed(Instant::parse))
            .phases(phases(at))
            .traffic(traffic(at))
            .files(files(at, "inputs"), files(at, "outputs"))
            .effort(effort(at))
            .fill(fill(at))
            .placement(PlacementReasonCodec.read(at))
            .message(at.has(MESSAGE) ? string(at, MESSAGE) : "");
    return made(at, task::build);
  }

  private static Phases phases(JsonPlace at) throws IOException {
    Duration local = at.at("stage-in-local").parsed(Duration::parse);
    Duration remote = at.at("stage-in-remote").parsed(Duration::parse);
    Duration run = at.at("run").parsed(Duration::parse);
    Duration out = at.at("stage-out").parsed(Duration::parse);
    return made(at, () -> new Phases(local, remote, run, out));
  }

  private static Traffic traffic(JsonPlace at) throws IOException {
    long inputLocal = at.at("input-bytes-local").integer();
    long inputRemote = at.at("input-bytes-remote").integer();
    long output = at.at("output-bytes").integer();
    long outputRemote = at.at("output-bytes-remote").integer();
    long cached = at.has(CACHED) ? at.at(CACHED).integer() : 0;
    return made(at, () -> new Traffic(inputLocal, inputRemote, output, outputRemote, cached));
  }

  private static ResourceUse effort(JsonPlace at) throws IOException {
    if (!at.has(CPU)) {
      return ResourceUse.NONE;
    }
    Duration cpu = at.at(CPU).parsed(Duration::parse);
    long memory = at.at(PEAK_MEMORY).integer();
    return made(at, () -> new ResourceUse(cpu.toMillis(), memory));
  }

  private static NodeFill fill(JsonPlace at) throws IOException {
    if (!at.has(CACHE_BYTES)) {
      return NodeFill.UNKNOWN;
    }
    long cache = at.at(CACHE_BYTES).integer();
    long free = at.at(DISK_FREE).integer();
    return made(at, () -> new NodeFill(cache, free));
  }

  private static List<FileRecord> files(JsonPlace at, String key) throws IOException {
    if (!at.has(key)) {
      return List.of();
    }
    List<FileRecord> files = new ArrayList<>();
    for (JsonPlace file : elements(at, key)) {
      String id = string(file, "file");
      long bytes = file.at("bytes").integer();
      long crc32c =
          file.has("crc32c") ? file.at("crc32c").parsed(Checksum::fromHex) : Checksum.UNKNOWN;
      Map<String, Long> nodes = bytesByHost(file, NODES);
      Map<String, Long> caches = bytesByHost(file, CACHES);
      boolean onNode = file.has(ON_NODE);
      files.add(made(file, () -> new FileRecord(id, bytes, crc32c, nodes, caches, onNode)));
    }
    return files;
  }

  private static Map<String, Long> bytesByHost(JsonPlace at, String key) throws IOException {
    if (!at.has(key)) {
      return Map.of();
    }
    Map<String, Long> bytes = new HashMap<>();
    JsonPlace hosts = at.at(key);
    for (Iterator<String> host = hosts.node().fieldNames(); host.hasNext(); ) {
      String name = host.next();
      bytes.put(name, hosts.at(name).integer());
    }
    return bytes;
  }

  private static String string(JsonPlace at, String key) throws IOException {
    return at.at(key).string("give a string");
  }

  private static List<JsonPlace> elements(JsonPlace at, String key) throws IOException {
    return at.list(key, "give one, [] if it is empty");
  }

  private static <T> T made(JsonPlace at, Supplier<T> maker) throws IOException {
    return at.make(maker, "correct the record");
  }
}
