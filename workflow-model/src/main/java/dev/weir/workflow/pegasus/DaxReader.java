package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowImporter;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Reads DAX, the XML format of Pegasus before version 5, with its embedded catalogs, element by
 * element. Not thread-safe.
 */
public final class DaxReader {
  private static final String FORMAT = "dax";

  public static final WorkflowImporter IMPORTER =
      new WorkflowImporter(
          FORMAT,
          "DAX XML",
          source -> source.text().stripLeading().startsWith("<") && source.text().contains("<adag"),
          List.of(".dax", ".xml"),
          source -> new DaxReader(source).read());

  private final WorkflowSource source;
  private final WorkflowDraft draft;
  private final XmlEvents xml;
  private final Catalog catalog = new Catalog();
  private final Catalogs catalogs;
  private final PegasusWorkflow workflow;
  private final List<PegasusJob> jobs = new ArrayList<>();

  private String name = "";
  private @Nullable PegasusJob job;
  private @Nullable FileMention file;
  private boolean output;
  private @Nullable Executable executable;
  private String child = "";
  private final StringBuilder text = new StringBuilder();
  private String profileNamespace = "";
  private String key = "";

  /** A program while its element is read. */
  private record Executable(
      Transformation.Name name, boolean installed, Map<String, String> environment) {}

  private DaxReader(WorkflowSource source) throws WorkflowException {
    this.source = source;
    this.draft = new WorkflowDraft(source, FORMAT);
    this.xml = new XmlEvents(source);
    this.catalogs = new Catalogs(source, draft);
    this.workflow = new PegasusWorkflow(source, draft, catalogs, catalog);
  }

  private ImportedWorkflow read() throws WorkflowException {
    int event;
    do {
      event = xml.next();
      switch (event) {
        case XMLStreamConstants.START_ELEMENT -> start();
        case XMLStreamConstants.CHARACTERS -> text.append(xml.text());
        case XMLStreamConstants.END_ELEMENT -> end();
        default -> {}
      }
    } while (event != XMLStreamConstants.END_DOCUMENT);
    for (PegasusJob each : jobs) {
      workflow.add(each);
    }
    return draft.build(name);
  }

  private void start() throws WorkflowException {
    TextPlace place = xml.place();
    if (name.isEmpty() && !xml.name().equals("adag")) {
      throw source.problem(
          place,
          "the file begins with <" + xml.name() + ">",
          "give a DAX, which begins with <adag>");
    }
    switch (xml.name()) {
      case "adag" ->
          name = xml.attribute("name").filter(n -> !n.isBlank()).orElse(source.baseName());
      case "job" -> {
        job = new PegasusJob(xml.require("id"), transformation(), place);
        job.runtimeSeconds = seconds(place);
      }
      case "dag", "dax" ->
          throw source.problem(
              place,
              "a <" + xml.name() + "> is another workflow, which is not supported",
              "put the jobs of that workflow into this file");
      case "argument" -> text.setLength(0);
      case "file", "filename" -> startFile(place);
      case "uses" -> uses(place);
      case "stdin", "stdout", "stderr" -> stream(place);
      case "executable" ->
          executable =
              new Executable(
                  transformation(),
                  xml.attribute("installed").map("true"::equals).orElse(true),
                  new HashMap<>());
      case "pfn" -> physical();
      case "profile", "metadata" -> {
        text.setLength(0);
        profileNamespace = xml.attribute("namespace").orElse("");
        key = xml.attribute("key").orElse("");
      }
      case "child" -> child = xml.require("ref");
      case "parent" -> draft.after(child, xml.require("ref"), place);
      case "transformation", "invoke" -> draft.warn("elements <" + xml.name() + "> are ignored");
      default -> {}
    }
  }

  private Transformation.Name transformation() throws WorkflowException {
    return new Transformation.Name(
        xml.attribute("namespace").orElse(""),
        xml.require("name"),
        xml.attribute("version").orElse(""));
  }

  private double seconds(TextPlace place) throws WorkflowException {
    String runtime = xml.attribute("runtime").orElse("0");
    try {
      return Double.parseDouble(runtime.strip());
    } catch (NumberFormatException e) {
      throw new WorkflowException(
          source.name(),
          place.toString(),
          "the runtime is '" + runtime + "', which is not a number",
          "give seconds, such as 1.5",
          e);
    }
  }

  /** Reads a file name in arguments, or an entry of the replica catalog. */
  private void startFile(TextPlace place) throws WorkflowException {
    String fileName = fileName();
    if (job != null) {
      text.append(fileName);
    } else {
      file = new FileMention(fileName, place);
      output = false;
    }
  }

  private String fileName() throws WorkflowException {
    Optional<String> before3 = xml.attribute("file");
    return before3.isPresent() ? before3.get() : xml.require("name");
  }

  private void uses(TextPlace place) throws WorkflowException {
    PegasusJob current = job;
    if (current == null) {
      return; // part of a <transformation>
    }
    FileMention used = new FileMention(fileName(), place);
    String link = xml.require("link");
    file = used;
    output = !link.equals("input");
    // Files are delivered by default, also those that are "optional".
    boolean delivered = xml.attribute("transfer").filter("false"::equals).isEmpty();
    current.uses.add(new PegasusJob.Use(used, link, delivered && output));
    Optional<String> size = xml.attribute("size");
    if (size.isPresent()) {
      workflow.size(used, size.get());
    }
  }

  private void stream(TextPlace place) throws WorkflowException {
    if (job != null) {
      job.streams.put(xml.name(), new FileMention(fileName(), place));
    }
  }

  private void physical() throws WorkflowException {
    Executable current = executable;
    FileMention described = file;
    if (described != null && job == null) {
      Optional<String> url = catalogs.url(xml.require("url"));
      if (url.isPresent()) {
        draft.source(described, url.get(), "");
      }
    }
    if (current != null) {
      catalog.add(
          new Transformation(
              current.name(),
              Catalogs.path(xml.require("url")),
              current.installed(),
              current.environment(),
              ""));
    }
  }

  private void end() throws WorkflowException {
    switch (xml.name()) {
      case "job" -> {
        if (job != null) {
          jobs.add(job);
          job = null;
        }
      }
      case "argument" -> {
        if (job != null) {
          job.arguments = text.toString();
          job.argumentsPlace = xml.place();
        }
      }
      case "uses" -> file = null;
      case "file" -> file = job == null ? null : file;
      case "executable" -> executable = null;
      case "profile" -> profile(text.toString().strip());
      case "metadata" -> metadata(text.toString().strip());
      default -> {}
    }
  }

  private void profile(String value) {
    if (executable != null) {
      if (profileNamespace.equals("env")) {
        executable.environment().put(key, value);
      }
    } else if (job != null) {
      job.profile(profileNamespace, key, value);
    }
  }

  private void metadata(String value) throws WorkflowException {
    FileMention described = file;
    if (described == null) {
      return;
    }
    if (key.equals("size")) {
      workflow.size(described, value);
    } else if (key.equals(PegasusWorkflow.HINT_KEY)) {
      if (output && job != null) {
        job.hints.put(described.name(), value);
      } else {
        draft.hint(described, value);
      }
    }
  }
}
