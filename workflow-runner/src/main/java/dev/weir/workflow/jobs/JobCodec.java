package dev.weir.workflow.jobs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.model.TaskNeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;

/**
 * Job descriptions in JSON: the one that Confuga's and Chirp's job interface takes ({@code
 * executable}, {@code arguments}, {@code environment}, {@code files} with {@code serv_path}, {@code
 * task_path}, {@code type} and {@code binding}, {@code tag}), and Weir's own fields beside it.
 * Unsupported fields are refused, never ignored.
 */
public final class JobCodec {

  /** Sessions reject longer descriptions. */
  public static final int MOST_BYTES = 1 << 20;

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          // Of two fields with one name one would be ignored.
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

  /** The job must not alter the file; the default. */
  private static final String LINK = "LINK";

  /** The job gets its own copy of an input. Outputs are always copied to HDFS. */
  private static final String COPY = "COPY";

  private static final String INPUT = "INPUT";
  private static final String OUTPUT = "OUTPUT";

  private static final Set<String> JOB =
      Set.of(
          "id",
          "tag",
          "executable",
          "arguments",
          "command",
          "environment",
          "files",
          "cores",
          "memory-mb",
          "wall-time",
          "runtime-seconds",
          "priority",
          "attempts",
          "container",
          "containers",
          "resources");

  private static final Set<String> FILE =
      Set.of(
          "type",
          "serv_path",
          "task_path",
          "binding",
          "size",
          "tag",
          "hint",
          "intermediate",
          "glob");

  private JobCodec() {}

  /**
   * Reads a job.
   *
   * @param json the description
   * @param idOtherwise its id if it says none
   * @throws InvalidJobException when it is no job that can be run; the message says why
   */
  public static Job read(String json, String idOtherwise) throws InvalidJobException {
    try {
      JsonFields fields = JsonFields.of(parse(json), "The job");
      fields.requireOnly(JOB);
      List<JobFile> inputs = new ArrayList<>();
      List<JobFile> outputs = new ArrayList<>();
      List<JobFile> globs = new ArrayList<>();
      for (JsonFields file : fields.objects("files")) {
        file.requireOnly(FILE);
        List<JobFile> written = file.flag("glob") ? globs : outputs;
        (isInput(file) ? inputs : written).add(file(file));
      }
      return new Job(
          fields.text("id", idOtherwise),
          fields.text("tag", ""),
          command(fields),
          fields.map("environment"),
          inputs,
          outputs,
          globs,
          options(fields));
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(String.valueOf(e.getMessage()), e);
    }
  }

  private static JsonNode parse(String json) throws InvalidJobException {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new InvalidJobException(
          "The job is not valid JSON: "
              + e.getOriginalMessage()
              + (e.getLocation() == null
                  ? ""
                  : " (line %s, column %s)"
                      .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr())),
          e);
    }
  }

  private static List<String> command(JsonFields job) throws InvalidJobException {
    if (job.has("command")) {
      if (job.has("executable") || job.has("arguments")) {
        throw new InvalidJobException(
            "The job has 'command' beside 'executable' and 'arguments': write one of both");
      }
      return job.texts("command");
    }
    String executable = job.text("executable");
    List<String> arguments = job.texts("arguments");
    if (arguments.isEmpty() || !baseName(arguments.get(0)).equals(baseName(executable))) {
      throw new InvalidJobException(
          "The job's 'arguments' do not begin with the name of its executable, '"
              + baseName(executable)
              + "': the first one is what the program is called by, and it cannot be called"
              + " otherwise here");
    }
    List<String> command = new ArrayList<>(arguments);
    command.set(0, executable);
    return command;
  }

  private static String baseName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static boolean isInput(JsonFields file) throws InvalidJobException {
    String type = file.text("type").toUpperCase(Locale.ROOT);
    if (!type.equals(INPUT) && !type.equals(OUTPUT)) {
      throw new InvalidJobException("A file's type is '" + type + "': write INPUT or OUTPUT");
    }
    return type.equals(INPUT);
  }

  private static JobFile file(JsonFields file) throws InvalidJobException {
    String binding = file.text("binding", LINK).toUpperCase(Locale.ROOT);
    if (!binding.equals(LINK) && !binding.equals(COPY)) {
      throw new InvalidJobException(
          ("The file %s has the binding '%s', which is not honoured here: write "
                  + "LINK or COPY. What is not in HDFS is fetched by the command itself, or "
                  + "put into HDFS before")
              .formatted(file.text("serv_path"), binding));
    }
    String hint = file.text("hint", "");
    if (!hint.isEmpty() && isInput(file)) {
      throw new InvalidJobException(
          "The input "
              + file.text("serv_path")
              + " has a hint: give it to the job that writes the file, or use 'weir hints set'");
    }
    boolean intermediate = file.flag("intermediate");
    if (intermediate && isInput(file)) {
      throw new InvalidJobException(
          "The input "
              + file.text("serv_path")
              + " is called intermediate: say so in the job that writes the file");
    }
    if (file.flag("glob") && isInput(file)) {
      throw new InvalidJobException(
          "The input " + file.text("serv_path") + " is a pattern: list the files that it matches");
    }
    if (file.flag("glob") && intermediate) {
      throw new InvalidJobException(
          "The pattern "
              + file.text("task_path")
              + " is called intermediate: files that a pattern finds are always in HDFS");
    }
    return new JobFile(
        file.text("serv_path"),
        file.text("task_path"),
        file.whole("size", 0),
        hint,
        isInput(file) && binding.equals(COPY),
        intermediate);
  }

  private static JobOptions options(JsonFields job) throws InvalidJobException {
    TaskNeeds needs =
        new TaskNeeds(
            job.integer("cores", 0),
            JobOptions.memoryBytes(job.whole("memory-mb", 0)),
            0,
            job.whole("wall-time", 0),
            false,
            job.text("container", ""),
            job.amounts("resources"));
    return new JobOptions(
        job.has("containers") ? needs.withContainers(job.whole("containers", 1)) : needs,
        job.number("runtime-seconds", JobOptions.DEFAULT.runtimeSeconds()),
        job.integer("priority", JobOptions.DEFAULT.priority()),
        job.integer("attempts", JobOptions.DEFAULT.attempts()));
  }

  /** Writes a job; equal jobs are written the same. */
  public static String write(Job job) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", job.id());
    if (!job.tag().isEmpty()) {
      node.put("tag", job.tag());
    }
    ArrayNode command = node.putArray("command");
    job.command().forEach(command::add);
    if (!job.environment().isEmpty()) {
      ObjectNode environment = node.putObject("environment");
      new TreeMap<>(job.environment()).forEach(environment::put);
    }
    ArrayNode files = node.putArray("files");
    job.inputs().forEach(file -> write(file, INPUT, files.addObject()));
    job.outputs().forEach(file -> write(file, OUTPUT, files.addObject()));
    for (JobFile glob : job.globs()) {
      ObjectNode file = files.addObject();
      write(glob, OUTPUT, file);
      file.put("glob", true);
    }
    write(job.options(), node);
    return node.toString();
  }

  private static void write(JobFile file, String type, ObjectNode node) {
    node.put("type", type);
    node.put("serv_path", file.path());
    node.put("task_path", file.name());
    if (file.copied() && type.equals(INPUT)) {
      node.put("binding", COPY);
    }
    if (file.sizeBytes() > 0) {
      node.put("size", file.sizeBytes());
    }
    if (!file.hint().isEmpty()) {
      node.put("hint", file.hint());
    }
    if (file.intermediate()) {
      node.put("intermediate", true);
    }
  }

  private static void write(JobOptions options, ObjectNode node) {
    if (options.needs().cores() > 0) {
      node.put("cores", options.needs().cores());
    }
    if (options.needs().memoryBytes() > 0) {
      node.put("memory-mb", options.memoryMebibytes());
    }
    if (options.needs().timeLimitSeconds() > 0) {
      node.put("wall-time", options.needs().timeLimitSeconds());
    }
    if (!options.needs().container().isEmpty()) {
      node.put("container", options.needs().container());
    }
    if (options.needs().containers() > 0) {
      node.put("containers", options.needs().containers());
    }
    if (!options.needs().resources().isEmpty()) {
      ObjectNode amounts = node.putObject("resources");
      new TreeMap<>(options.needs().resources()).forEach(amounts::put);
    }
    if (options.runtimeSeconds() > 0) {
      node.put("runtime-seconds", options.runtimeSeconds());
    }
    if (options.priority() != 0) {
      node.put("priority", options.priority());
    }
    if (options.attempts() != 1) {
      node.put("attempts", options.attempts());
    }
  }
}
