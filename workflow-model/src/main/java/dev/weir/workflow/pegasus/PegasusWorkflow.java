package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.DraftTask;
import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.Megabytes;
import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Converts jobs of all Pegasus formats to tasks. */
final class PegasusWorkflow {

  /** The key of a file's metadata that holds a hint. */
  static final String HINT_KEY = "weir.hint";

  /** The profile of how often a job is retried, whose key is in capitals in older files. */
  private static final String RETRY = "dagman.retry";

  private final WorkflowSource source;
  private final WorkflowDraft draft;
  private final Catalogs catalogs;
  private final Catalog catalog;

  PegasusWorkflow(WorkflowSource source, WorkflowDraft draft, Catalogs catalogs, Catalog catalog) {
    this.source = source;
    this.draft = draft;
    this.catalogs = catalogs;
    this.catalog = catalog;
  }

  void add(PegasusJob job) throws WorkflowException {
    List<FileMention> inputs = new ArrayList<>();
    List<FileMention> outputs = new ArrayList<>();
    for (PegasusJob.Use use : job.uses) {
      switch (use.link()) {
        case "input" -> inputs.add(use.file());
        case "output" -> outputs.add(use.file());
        case "inout" -> {
          inputs.add(use.file());
          outputs.add(use.file());
        }
        default ->
            draft.warn(use.file().place(), "a file of the type " + use.link() + " is ignored");
      }
      if (use.delivered()) {
        draft.result(use.file());
      } else if (!use.link().equals("input")) {
        draft.temporary(use.file());
      }
    }
    if (job.workflow != null) {
      if (!job.arguments.isEmpty()) {
        draft.warn(job.argumentsPlace, "the arguments of a sub-workflow are ignored");
      }
      DraftTask.Files files = new DraftTask.Files(inputs, outputs, job.hints);
      draft.addSubWorkflow(job.id, job.workflow, Map.of(), files);
      return;
    }
    job.streams.forEach((stream, file) -> (stream.equals("stdin") ? inputs : outputs).add(file));
    List<String> command = command(job, inputs);
    TaskNeeds needs = needs(job);
    needs.imageFile().ifPresent(image -> inputs.add(new FileMention(image, job.place)));
    draft.add(
        new DraftTask(
            job.id,
            job.transformation.name(),
            command,
            new DraftTask.Files(inputs, outputs, job.hints),
            needs,
            runtime(job),
            job.place));
  }

  private List<String> command(PegasusJob job, List<FileMention> inputs) throws WorkflowException {
    Optional<Transformation> found = catalog.find(job.transformation);
    if (found.isEmpty()) {
      if (catalog.isEmpty()) {
        draft.warn(
            "there is no catalog of programs: the tasks have no commands, only stand-ins can run"
                + " them");
        return List.of();
      }
      throw source.problem(
          job.place,
          "the job '"
              + job.id
              + "' uses the program '"
              + job.transformation
              + "', which is in no catalog",
          "add it to the transformation catalog, or use one of it: " + catalog.shown());
    }
    Transformation program = found.get();
    List<String> argv = new ArrayList<>();
    argv.add(program.installed() ? program.path() : "./" + program.fileName());
    argv.addAll(Words.split(job.arguments, source, job.argumentsPlace));
    Map<String, String> environment = new TreeMap<>(program.environment());
    environment.putAll(job.environment);
    if (!program.installed()) {
      stage(program, job, inputs);
    }
    boolean plain = program.installed() && environment.isEmpty() && job.streams.isEmpty();
    return plain ? argv : shellCommand(job, argv, environment, program);
  }

  private void stage(Transformation program, PegasusJob job, List<FileMention> inputs)
      throws WorkflowException {
    FileMention file = new FileMention(program.fileName(), job.place);
    inputs.add(file);
    Optional<String> url = catalogs.url(program.path());
    if (url.isPresent()) {
      draft.source(file, url.get(), "");
    } else {
      draft.warn(
          "the program "
              + program.fileName()
              + " is not installed on the nodes: it is an input of the workflow (it was at "
              + program.path()
              + ")");
    }
  }

  private List<String> shellCommand(
      PegasusJob job, List<String> argv, Map<String, String> environment, Transformation program)
      throws WorkflowException {
    StringBuilder script = new StringBuilder();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      if (!variable.getKey().matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw source.problem(
            job.place,
            "'" + variable.getKey() + "' cannot be the name of an environment variable",
            "use letters, digits and '_'");
      }
      script
          .append("export ")
          .append(variable.getKey())
          .append('=')
          .append(ShellCommand.quote(variable.getValue()))
          .append('\n');
    }
    if (!program.installed()) {
      script.append("chmod +x \"$0\" || exit\n");
    }
    script.append("exec \"$0\" \"$@\"");
    Map<String, String> redirections = new LinkedHashMap<>();
    redirections.put("stdin", " < ");
    redirections.put("stdout", " > ");
    redirections.put("stderr", " 2> ");
    redirections.forEach(
        (stream, redirection) -> {
          FileMention file = job.streams.get(stream);
          if (file != null) {
            script.append(redirection).append(ShellCommand.quote(file.name()));
          }
        });
    List<String> command = new ArrayList<>(List.of(ShellCommand.SHELL, "-c", script.toString()));
    command.addAll(argv);
    return command;
  }

  private TaskNeeds needs(PegasusJob job) throws WorkflowException {
    double cores = Math.max(number(job, "cores"), number(job, "request_cpus"));
    long memory = Math.max(bytes(job, "memory"), bytes(job, "request_memory"));
    double limit =
        Math.max(
            number(job, "maxRuntime"), number(job, "maxwalltime") * TimeUnit.MINUTES.toSeconds(1));
    TaskNeeds needs =
        new TaskNeeds(
            (int) Math.ceil(cores),
            memory,
            bytes(job, "diskspace"),
            (long) Math.ceil(limit),
            false,
            catalog.find(job.transformation).map(Transformation::image).orElse(""),
            TaskNeeds.gpus(
                (long) Math.ceil(Math.max(number(job, "gpus"), number(job, "request_gpus")))));
    String retries = job.profiles.get(RETRY);
    return retries == null ? needs : withRetries(needs, job, retries.strip());
  }

  private TaskNeeds withRetries(TaskNeeds needs, PegasusJob job, String retries)
      throws WorkflowException {
    try {
      return needs.withRetries(Long.parseLong(retries));
    } catch (IllegalArgumentException e) {
      throw new WorkflowException(
          source.name(),
          job.place.toString(),
          "the profile retry of dagman is '" + retries + "'",
          "give a whole number from 0 to " + TaskNeeds.MOST_RETRIES,
          e);
    }
  }

  private long bytes(PegasusJob job, String profile) throws WorkflowException {
    return Megabytes.toBytes(number(job, profile))
        .orElseThrow(
            () ->
                source.problem(
                    job.place,
                    "the profile "
                        + profile
                        + " is "
                        + job.profiles.get(profile)
                        + ", which is too large",
                    Megabytes.REMEDY));
  }

  private double runtime(PegasusJob job) throws WorkflowException {
    return job.runtimeSeconds > 0 ? job.runtimeSeconds : number(job, "runtime");
  }

  private double number(PegasusJob job, String profile) throws WorkflowException {
    String value = job.profiles.get(profile);
    if (value == null) {
      return 0;
    }
    try {
      double number = Double.parseDouble(value.strip());
      if (number >= 0 && Double.isFinite(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      draft.warn(job.place, "the profile " + profile + " '" + value + "' is ignored");
      return 0;
    }
    throw source.problem(
        job.place, "the profile " + profile + " is " + value, "give a number, 0 or more");
  }

  /** Sets the size of a file from its metadata. */
  void size(FileMention file, String text) throws WorkflowException {
    try {
      draft.size(file, (long) Double.parseDouble(text.strip()));
    } catch (NumberFormatException e) {
      throw new WorkflowException(
          source.name(),
          file.place().toString(),
          "the size of the file '" + file.name() + "' is '" + text + "', which is not a number",
          "give its size in bytes",
          e);
    }
  }
}
