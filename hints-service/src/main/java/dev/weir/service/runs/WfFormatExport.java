package dev.weir.service.runs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.service.database.Batches;
import dev.weir.service.database.Database;
import dev.weir.service.part.ProblemException;
import dev.weir.service.runs.WfFormatQueries.Edges;
import dev.weir.service.runs.WfFormatQueries.Part;
import dev.weir.service.runs.WfFormatQueries.Ran;
import dev.weir.service.runs.WfFormatQueries.Size;
import dev.weir.service.runs.WfFormatQueries.Tasks;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.ws.rs.core.StreamingOutput;
import org.jspecify.annotations.Nullable;

/**
 * Exports runs as instances of WfFormat 1.6, for tools that read the instances of WfCommons. A task
 * that has not succeeded is exported with the runtime 0, because its command is still useful. A run
 * is written page by page. No connection to the database is held while a page is sent; only the
 * keys of the tasks stay in memory.
 */
final class WfFormatExport {
  private static final double MILLIS = 1000;
  private static final double PERCENT = 100;
  private static final double HUNDREDTHS = PERCENT * PERCENT;
  private static final JsonFactory JSON = new JsonFactory();

  /** The number of tasks or files that are read at a time. */
  private static final int PAGE_SIZE = 200;

  private static final int MAX_TASKS = 1_000_000;

  private final Database database;

  WfFormatExport(Database database) {
    this.database = database;
  }

  /**
   * Returns the instance of a run as JSON in UTF-8; empty if none of its tasks is known.
   *
   * @throws ProblemException 403 if the run has too many tasks
   */
  Optional<StreamingOutput> of(RunRow run) {
    WfFormatQueries queries = new WfFormatQueries(database, run.number());
    Tasks tasks = queries.tasks(MAX_TASKS + 1);
    if (tasks.keys().size() > MAX_TASKS) {
      throw ProblemException.limit(
          "id",
          "run '"
              + run.id()
              + "' has more than "
              + MAX_TASKS
              + " tasks, which is too much for one instance; query its tables with SQL");
    }
    return tasks.keys().isEmpty()
        ? Optional.empty()
        : Optional.of(out -> new Document(queries, run, tasks, out).write());
  }

  private static final class Document {
    private final WfFormatQueries queries;
    private final RunRow run;
    private final Tasks tasks;
    private final JsonGenerator json;

    Document(WfFormatQueries queries, RunRow run, Tasks tasks, OutputStream out)
        throws IOException {
      this.queries = queries;
      this.run = run;
      this.tasks = tasks;
      this.json = JSON.createGenerator(out);
    }

    void write() throws IOException {
      RunHead head = run.head();
      json.writeStartObject();
      json.writeStringField("name", head.workflow());
      json.writeStringField("description", "Run " + run.id() + " of Weir, mode " + head.mode());
      json.writeStringField("createdAt", head.started().toString());
      json.writeStringField("schemaVersion", WfFormatWriter.VERSION);
      String version = WfFormatExport.class.getPackage().getImplementationVersion();
      json.writeObjectFieldStart("runtimeSystem");
      json.writeStringField("name", "Weir");
      json.writeStringField("version", version == null ? "development" : version);
      json.writeEndObject();
      json.writeObjectFieldStart("workflow");
      specification();
      execution();
      json.writeEndObject();
      json.writeEndObject();
      json.flush();
    }

    private void specification() throws IOException {
      json.writeObjectFieldStart("specification");
      json.writeArrayFieldStart("tasks");
      for (List<UUID> page : Batches.of(tasks.keys(), PAGE_SIZE)) {
        Map<UUID, Part> parts = queries.parts(page);
        Map<UUID, Edges> edges = queries.edges(page);
        for (UUID key : page) {
          Part part = parts.get(key);
          if (part != null) {
            specify(part, edges.getOrDefault(key, new Edges()));
          }
        }
      }
      json.writeEndArray();
      json.writeArrayFieldStart("files");
      List<Size> sizes = queries.sizes(null, PAGE_SIZE);
      while (!sizes.isEmpty()) {
        for (Size size : sizes) {
          json.writeStartObject();
          json.writeStringField("id", size.id());
          json.writeNumberField("sizeInBytes", size.bytes());
          json.writeEndObject();
        }
        sizes = queries.sizes(sizes.get(sizes.size() - 1).key(), PAGE_SIZE);
      }
      json.writeEndArray();
      json.writeEndObject();
    }

    private void specify(Part task, Edges edges) throws IOException {
      for (String parent : task.after()) {
        if (tasks.isKnown(parent) && !parent.equals(task.id())) {
          edges.parents().add(parent);
        }
      }
      edges.children().addAll(tasks.after().getOrDefault(task.id(), List.of()));
      json.writeStartObject();
      json.writeStringField("name", task.type());
      json.writeStringField("id", task.id());
      strings("parents", edges.parents());
      strings("children", edges.children());
      strings("inputFiles", edges.inputs());
      strings("outputFiles", edges.outputs());
      json.writeEndObject();
    }

    private void execution() throws IOException {
      Instant started = run.head().started();
      json.writeObjectFieldStart("execution");
      json.writeNumberField("makespanInSeconds", seconds(Duration.between(started, end())));
      json.writeStringField("executedAt", started.toString());
      json.writeArrayFieldStart("tasks");
      for (List<UUID> page : Batches.of(tasks.keys(), PAGE_SIZE)) {
        Map<UUID, Part> parts = queries.parts(page);
        Map<UUID, Ran> ran = queries.ran(page);
        for (UUID key : page) {
          Part part = parts.get(key);
          if (part != null) {
            executed(part, ran.get(key));
          }
        }
      }
      json.writeEndArray();
      List<String> nodes = queries.nodes();
      if (!nodes.isEmpty()) {
        json.writeArrayFieldStart("machines");
        for (String node : nodes) {
          json.writeStartObject();
          json.writeStringField("nodeName", node);
          json.writeStringField("system", "linux");
          json.writeEndObject();
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }

    private void executed(Part task, @Nullable Ran ran) throws IOException {
      json.writeStartObject();
      json.writeStringField("id", task.id());
      json.writeNumberField("runtimeInSeconds", ran == null ? 0 : ran.runMillis() / MILLIS);
      List<String> command = task.command();
      if (!command.isEmpty()) {
        json.writeObjectFieldStart("command");
        json.writeStringField("program", command.get(0));
        strings("arguments", command.subList(1, command.size()));
        json.writeEndObject();
      }
      if (task.cores() > 0) {
        json.writeNumberField("coreCount", task.cores());
      }
      memory(task.memory(), ran == null ? null : ran.effort());
      if (ran != null) {
        utilisation(ran);
        json.writeNumberField("readBytes", ran.read());
        json.writeNumberField("writtenBytes", ran.written());
        strings("machines", List.of(ran.node()));
      }
      json.writeEndObject();
    }

    /**
     * The format's field is the memory that a task used. The declared memory, also if none is
     * declared, has a field of our own, so that readers do not take used memory for required
     * memory.
     */
    private void memory(long declared, @Nullable ResourceUse effort) throws IOException {
      long measured = effort == null ? 0 : effort.peakMemoryBytes();
      if (measured > 0 || declared > 0) {
        json.writeNumberField(WfFormatWriter.MEMORY, measured > 0 ? measured : declared);
      }
      if (measured > 0) {
        json.writeObjectFieldStart(WfFormatWriter.EXTENSION);
        json.writeNumberField(WfFormatWriter.MEMORY, declared);
        json.writeEndObject();
      }
    }

    /** Writes the processor utilisation in percent of one core; four busy cores are 400. */
    private void utilisation(Ran ran) throws IOException {
      ResourceUse effort = ran.effort();
      if (effort != null && ran.runMillis() > 0) {
        long hundredths = Math.round(HUNDREDTHS * effort.cpuMillis() / ran.runMillis());
        json.writeNumberField("avgCPU", hundredths / PERCENT);
      }
    }

    private void strings(String field, Collection<String> values) throws IOException {
      json.writeArrayFieldStart(field);
      for (String value : values) {
        json.writeString(value);
      }
      json.writeEndArray();
    }

    private Instant end() {
      Instant end = run.head().ended();
      Instant last = end == null ? queries.lastEnd() : end;
      return last == null || last.isBefore(run.head().started()) ? run.head().started() : last;
    }

    private static double seconds(Duration time) {
      return time.toMillis() / MILLIS;
    }
  }
}
