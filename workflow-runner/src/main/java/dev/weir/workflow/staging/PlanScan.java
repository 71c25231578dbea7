package dev.weir.workflow.staging;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FileIds;
import dev.weir.workflow.model.Task;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * Reads another run's {@link RunPlan} and the {@linkplain AddedTasks tasks that were added} entry
 * by entry. A whole plan of a hundred thousand tasks exceeds the memory that an ApplicationMaster
 * has left beside its own plan. Each call reads the files once. Thread-safe.
 */
public final class PlanScan {

  /**
   * Does not intern field names, because the ids of files are field names in a plan and each is
   * unique.
   */
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .build())
          .build();

  private static final ObjectReader TASK = JSON.readerFor(Task.class);
  private static final ObjectReader FILE = JSON.readerFor(DataFile.class);
  private static final Set<String> HEAD = Set.of("dataDir", "standIn", "environment");

  private final Staging directory;
  private final UnaryOperator<InputStream> through;

  /** Creates a reader of a run's plan. */
  public PlanScan(Staging directory) {
    this(directory, UnaryOperator.identity());
  }

  /**
   * Creates a reader of a run's plan through a filter.
   *
   * @param through wraps the stream of each read; closing the wrapper must close the stream
   */
  public PlanScan(Staging directory, UnaryOperator<InputStream> through) {
    this.directory = directory;
    this.through = through;
  }

  /**
   * The parts of a plan that apply to all tasks.
   *
   * @param dataDir absolute path of the directory that holds inputs and receives outputs
   * @param standIn whether stand-ins replace the commands
   */
  public record Head(String dataDir, boolean standIn, Map<String, String> environment) {

    /** Validates the directory and copies the map. */
    public Head {
      Objects.requireNonNull(dataDir, "dataDir");
      environment = Map.copyOf(environment);
    }

    /**
     * Returns the path of a file in HDFS.
     *
     * @return absolute path
     */
    public String path(String fileId) {
      return FileIds.pathIn(dataDir, fileId);
    }
  }

  /** Receives a field of an object. The parser is at its value, which may be left unread. */
  private interface Field {
    void at(String name, JsonParser value) throws IOException;
  }

  /** Reads the head. */
  public Head head() throws IOException {
    ObjectNode head = JSON.createObjectNode();
    return read(
        Staging.PLAN,
        plan -> {
          fields(
              plan,
              (name, value) -> {
                if (HEAD.contains(name)) {
                  head.set(name, JSON.<JsonNode>readTree(value));
                }
              });
          return JSON.treeToValue(head, Head.class);
        });
  }

  /**
   * Reads the tasks.
   *
   * @param each receives them, in the order of the plan
   * @throws IOException if the plan cannot be read to its end
   */
  public void tasks(Consumer<Task> each) throws IOException {
    ofWorkflow(
        "tasks",
        at -> {
          while (at.nextToken() == JsonToken.START_OBJECT) {
            each.accept(TASK.readValue(at));
          }
        });
  }

  /**
   * Reads the tasks up to the first that matches.
   *
   * @param wanted the condition
   * @return whether a task matches
   * @throws IOException if the plan cannot be read up to it
   */
  public boolean anyTask(Predicate<Task> wanted) throws IOException {
    AtomicBoolean found = new AtomicBoolean();
    // After a match the parser stays among the tasks, so callers up the stack see no further
    // fields.
    ofWorkflow(
        "tasks",
        at -> {
          while (!found.get() && at.nextToken() == JsonToken.START_OBJECT) {
            found.set(wanted.test(TASK.readValue(at)));
          }
        });
    return found.get();
  }

  /**
   * Reads the files.
   *
   * @param each takes them, in the order of the plan
   * @throws IOException when the plan cannot be read to its end
   */
  public void files(Consumer<DataFile> each) throws IOException {
    ofWorkflow("files", at -> fields(at, (id, file) -> each.accept(FILE.readValue(file))));
  }

  private void ofWorkflow(String part, ConsumerRaisingIOE<JsonParser> reading) throws IOException {
    ofWorkflow(Staging.PLAN, part, reading);
    for (String added : AddedTasks.names(directory)) {
      ofWorkflow(added, part, reading);
    }
  }

  private void ofWorkflow(String file, String part, ConsumerRaisingIOE<JsonParser> reading)
      throws IOException {
    boolean unused =
        read(
            file,
            plan -> {
              fields(plan, only("workflow", at -> fields(at, only(part, reading))));
              return true;
            });
  }

  private static Field only(String wanted, ConsumerRaisingIOE<JsonParser> reading) {
    return (name, value) -> {
      if (name.equals(wanted)) {
        reading.accept(value);
      }
    };
  }

  private <T> T read(String file, FunctionRaisingIOE<JsonParser, T> reading) throws IOException {
    try (InputStream in = through.apply(directory.open(file));
        JsonParser plan = JSON.createParser(in)) {
      JsonToken unused = plan.nextToken();
      return reading.apply(plan);
    } catch (JsonProcessingException e) {
      throw new Staging.UnreadableException(
          directory.file(file) + " cannot be read: " + e.getOriginalMessage(), e);
    }
  }

  private static void fields(JsonParser object, Field each) throws IOException {
    while (object.nextToken() == JsonToken.FIELD_NAME) {
      String name = object.currentName();
      JsonToken unused = object.nextToken();
      each.at(name, object);
      // Has no effect if the value was read.
      JsonParser unusedSame = object.skipChildren();
    }
  }
}
