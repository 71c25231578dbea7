package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.SubWorkflow;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads workflows of Pegasus 5 in YAML. Catalogs are in the same file, at the paths in {@code
 * pegasus.properties}, or next to the file under their usual names. Not thread-safe.
 */
public final class PegasusReader {
  private static final String FORMAT = "pegasus";
  private static final Pattern KEYS =
      Pattern.compile("(?m)^(\"?pegasus\"?|x-pegasus|jobDependencies)\\s*:");

  public static final WorkflowImporter IMPORTER =
      new WorkflowImporter(
          FORMAT,
          "Pegasus 5 YAML",
          source -> KEYS.matcher(source.text()).find(),
          List.of(".yml", ".yaml"),
          source -> new PegasusReader(source).read());

  private final WorkflowSource source;
  private final WorkflowDraft draft;

  private PegasusReader(WorkflowSource source) {
    this.source = source;
    this.draft = new WorkflowDraft(source, FORMAT);
  }

  private ImportedWorkflow read() throws WorkflowException {
    YamlNode root = YamlNode.root(source);
    YamlNode version = root.require("pegasus", "give the version: pegasus: \"5.0\"");
    if (!version.text().matches("5(\\..*)?")) {
      throw version.problem(
          "the version '" + version.text() + "' of Pegasus is not supported (5.0 is)",
          "convert the workflow with the tools of Pegasus 5");
    }
    String name = root.require("name", "give the workflow a name").nonBlankText();
    Catalogs catalogs = new Catalogs(source, draft);
    PegasusWorkflow workflow =
        new PegasusWorkflow(source, draft, catalogs, catalogs.transformations(root));
    catalogs.replicas(root, workflow);
    catalogs.sites(root);
    root.require("jobs", "list the jobs");
    for (YamlNode job : root.list("jobs", "a job")) {
      workflow.add(job(job, workflow, root));
    }
    for (YamlNode dependency : root.list("jobDependencies", "a dependency")) {
      String parent = dependency.require("id", "name the earlier job").nonBlankText();
      for (YamlNode child : dependency.list("children", "a child")) {
        draft.after(child.nonBlankText(), parent, child.place());
      }
    }
    return draft.build(name);
  }

  private PegasusJob job(YamlNode node, PegasusWorkflow workflow, YamlNode root)
      throws WorkflowException {
    String type = node.text("type").orElse("job");
    if (!type.equals("job") && !type.equals("pegasusWorkflow")) {
      throw node.problem(
          "a job of the type '" + type + "' is a workflow of another system",
          "put its jobs into a workflow of Pegasus, and use the type pegasusWorkflow");
    }
    String id = node.require("id", "give each job a unique id").nonBlankText();
    boolean isWorkflow = type.equals("pegasusWorkflow");
    Transformation.Name name =
        new Transformation.Name(
            node.text("namespace").orElse(""),
            isWorkflow
                ? SubWorkflow.TYPE
                : node.require("name", "name the program that it runs").nonBlankText(),
            node.text("version").orElse(""));
    PegasusJob job = new PegasusJob(id, name, node.place());
    if (isWorkflow) {
      YamlNode file = node.require("file", "name the file with the workflow");
      job.workflow = new FileMention(file.nonBlankText(), file.place());
    }
    List<String> arguments = new ArrayList<>();
    for (YamlNode argument : node.list("arguments", "an argument")) {
      arguments.add(argument.text());
      job.argumentsPlace = arguments.size() == 1 ? argument.place() : job.argumentsPlace;
    }
    job.arguments = String.join(" ", arguments);
    for (String stream : List.of("stdin", "stdout", "stderr")) {
      Optional<YamlNode> file = node.get(stream);
      if (file.isPresent()) {
        job.streams.put(stream, new FileMention(file.get().nonBlankText(), file.get().place()));
      }
    }
    for (YamlNode use : node.list("uses", "a file that the job '" + id + "' uses")) {
      use(job, use, workflow);
    }
    profiles(node, job);
    profiles(root, job);
    return job;
  }

  private void use(PegasusJob job, YamlNode use, PegasusWorkflow workflow)
      throws WorkflowException {
    YamlNode lfn = use.require("lfn", "name the file");
    FileMention file = new FileMention(lfn.nonBlankText(), lfn.place());
    String link = use.require("type", "give its type, input or output").nonBlankText();
    // Files are delivered by default.
    boolean delivered = use.text("stageOut").filter("false"::equals).isEmpty();
    job.uses.add(new PegasusJob.Use(file, link, delivered && !link.equals("input")));
    if (use.text("optional").filter("true"::equals).isPresent()) {
      draft.warn("optional files are assumed to exist");
    }
    Optional<String> size = use.text("size");
    if (size.isPresent()) {
      workflow.size(file, size.get());
    }
    Optional<YamlNode> metadata = use.get("metadata");
    if (metadata.isPresent()) {
      Optional<String> more = metadata.get().text("size");
      if (more.isPresent()) {
        workflow.size(file, more.get());
      }
      Optional<String> hint = metadata.get().text(PegasusWorkflow.HINT_KEY);
      if (hint.isPresent() && link.equals("input")) {
        draft.hint(file, hint.get());
      } else if (hint.isPresent()) {
        job.hints.put(file.name(), hint.get());
      }
    }
  }

  /** Adds profiles. The first value of a profile takes precedence. */
  private static void profiles(YamlNode node, PegasusJob job) throws WorkflowException {
    Optional<YamlNode> profiles = node.get("profiles");
    if (profiles.isEmpty()) {
      return;
    }
    for (Map.Entry<String, YamlNode> namespace : profiles.get().pairs().entrySet()) {
      for (Map.Entry<String, YamlNode> profile : namespace.getValue().pairs().entrySet()) {
        boolean known =
            namespace.getKey().equals("env") && job.environment.containsKey(profile.getKey());
        if (!known) {
          job.profile(namespace.getKey(), profile.getKey(), profile.getValue().text());
        }
      }
    }
  }
}
