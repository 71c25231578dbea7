package dev.weir.workflow.jobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.record.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The JSON codec of a session's answers. */
public final class StatusCodec {

  private static final ObjectMapper JSON = new ObjectMapper();

  private StatusCodec() {}

  /** Writes the status of a job. */
  public static String write(JobStatus job) {
    return node(job).toString();
  }

  private static ObjectNode node(JobStatus job) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", job.id());
    node.put("tag", job.tag());
    node.put("state", job.state().label());
    node.put("attempts", job.attempts());
    if (job.state().isFinal()) {
      node.put("exit-code", job.result().exitCode());
      node.put("message", job.result().message());
      node.put("output-tail", job.result().outputTail());
      node.put("number", job.number());
    }
    node.put("node", job.result().node());
    node.put("submitted-millis", job.times().submitted());
    node.put("started-millis", job.times().started());
    node.put("ended-millis", job.times().ended());
    node.put("run-millis", job.times().runMillis());
    node.put("input-bytes-local", job.traffic().inputLocal());
    node.put("input-bytes-remote", job.traffic().inputRemote());
    node.put("output-bytes", job.traffic().output());
    return node;
  }

  /** Reads the status of a job. */
  public static JobStatus readJob(String json) throws InvalidJobException {
    return job(parse(json));
  }

  private static JsonFields parse(String json) throws InvalidJobException {
    return parse(json, "The session's answer");
  }

  private static JsonFields parse(String json, String what) throws InvalidJobException {
    try {
      return JsonFields.of(JSON.readTree(json), what);
    } catch (JsonProcessingException e) {
      throw new InvalidJobException(what + " is not valid JSON: " + e.getOriginalMessage(), e);
    }
  }

  private static JobStatus job(JsonFields fields) throws InvalidJobException {
    try {
      return new JobStatus(
          fields.text("id"),
          fields.text("tag"),
          JobState.of(fields.text("state")),
          fields.integer("attempts", 0),
          new JobStatus.Result(
              fields.integer("exit-code", JobStatus.NO_EXIT_CODE),
              fields.text("node", ""),
              fields.text("message", ""),
              fields.text("output-tail", "")),
          new JobStatus.Times(
              fields.whole("submitted-millis", 0),
              fields.whole("started-millis", 0),
              fields.whole("ended-millis", 0),
              fields.whole("run-millis", 0)),
          new JobStatus.Traffic(
              fields.whole("input-bytes-local", 0),
              fields.whole("input-bytes-remote", 0),
              fields.whole("output-bytes", 0)),
          fields.whole("number", 0));
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Writes the status of jobs. */
  public static String write(EndedJobs ended) {
    ObjectNode node = JSON.createObjectNode();
    ArrayNode jobs = node.putArray("jobs");
    ended.jobs().forEach(job -> jobs.add(node(job)));
    node.put("next", ended.next());
    return node.toString();
  }

  /** Reads the status of jobs. */
  public static EndedJobs readJobs(String json) throws InvalidJobException {
    JsonFields fields = parse(json);
    List<JobStatus> jobs = new ArrayList<>();
    for (JsonFields job : fields.objects("jobs")) {
      jobs.add(job(job));
    }
    return new EndedJobs(jobs, fields.whole("next", 0));
  }

  /** Writes the status of a session. */
  public static String write(SessionStatus session) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", session.id());
    node.put("name", session.name());
    node.put("queued", session.queued());
    node.put("running", session.running());
    node.put("succeeded", session.succeeded());
    node.put("failed", session.failed());
    node.put("workers", session.workers());
    node.put("wanted-workers", session.wantedWorkers());
    node.put("runs", session.runs());
    node.put("mode", session.offer().mode());
    node.put("most-workers", session.offer().mostWorkers());
    node.put("worker-cores", session.offer().cores());
    node.put("worker-memory-mb", session.offer().megabytes());
    return node.toString();
  }

  /** Reads the status of a session. */
  public static SessionStatus readSession(String json) throws InvalidJobException {
    JsonFields fields = parse(json);
    return new SessionStatus(
        fields.text("id"),
        fields.text("name"),
        fields.integer("queued", 0),
        fields.integer("running", 0),
        fields.integer("succeeded", 0),
        fields.integer("failed", 0),
        fields.integer("workers", 0),
        fields.integer("wanted-workers", 0),
        fields.integer("runs", 0),
        new SessionStatus.Offer(
            fields.text("mode"),
            fields.integer("most-workers", 0),
            fields.integer("worker-cores", 0),
            fields.integer("worker-memory-mb", 0)));
  }

  /** Writes what submits a run to a session. */
  public static String submission(String run) {
    return JSON.createObjectNode().put("id", run).toString();
  }

  /**
   * Reads what submits a run to a session.
   *
   * @param json what {@link #submission} wrote
   * @return the id of the run, which is not checked
   * @throws InvalidJobException when there is none, or more than an id
   */
  public static String readSubmission(String json) throws InvalidJobException {
    JsonFields fields = parse(json, "The submission of a run");
    fields.requireOnly(Set.of("id"));
    return fields.text("id");
  }

  /** Writes whether a run goes on. */
  public static String writeState(RunStatus run) {
    return state(run).toString();
  }

  private static ObjectNode state(RunStatus run) {
    return JSON.createObjectNode().put("id", run.id()).put("state", run.state().name());
  }

  /** Writes how far runs are. */
  public static String writeRuns(List<RunStatus> runs) {
    ObjectNode node = JSON.createObjectNode();
    ArrayNode list = node.putArray("runs");
    for (RunStatus run : runs) {
      list.add(state(run).put("tasks", run.tasks()).put("done", run.done()));
    }
    return node.toString();
  }

  /** Reads whether a run goes on. */
  public static RunStatus readRun(String json) throws InvalidJobException {
    JsonFields fields = parse(json);
    String state = fields.text("state");
    for (RunState known : RunState.values()) {
      if (known.name().equals(state)) {
        return new RunStatus(
            fields.text("id"), known, fields.integer("tasks", 0), fields.integer("done", 0));
      }
    }
    throw new InvalidJobException("A run has the state '" + state + "', which is unknown");
  }

  /** Writes why something is refused. */
  public static String error(String message) {
    return JSON.createObjectNode().put("message", message).toString();
  }

  /**
   * Reads why something was refused.
   *
   * @param json what {@link #error} wrote, or anything else
   * @return the reason
   */
  public static String readError(String json) {
    try {
      return parse(json).text("message");
    } catch (InvalidJobException e) {
      return json.strip();
    }
  }
}
