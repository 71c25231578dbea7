package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.WorkflowDraft;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * Finds the catalogs of a workflow: in its file, at the paths in {@code pegasus.properties}, or
 * next to it under their usual names. Not thread-safe.
 */
final class Catalogs {

  private static final String PROPERTIES = "pegasus.properties";

  /** The schemes of Pegasus from which workers can fetch. */
  private static final Set<String> FETCHED =
      Set.of("http", "https", "ftp", "s3a", "abfs", "abfss", "gs", "hdfs", "webhdfs", "swebhdfs");

  private final WorkflowSource source;
  private final WorkflowDraft draft;

  Catalogs(WorkflowSource source, WorkflowDraft draft) {
    this.source = source;
    this.draft = draft;
  }

  /**
   * A catalog.
   *
   * @param key its key in the workflow's file
   * @param property the property that names its file
   * @param fileName its usual name
   */
  private record Kind(String key, String property, String fileName) {}

  private static final Kind TRANSFORMATIONS =
      new Kind(
          "transformationCatalog", "pegasus.catalog.transformation.file", "transformations.yml");
  private static final Kind REPLICAS =
      new Kind("replicaCatalog", "pegasus.catalog.replica.file", "replicas.yml");
  private static final String SITES = "sites.yml";

  Catalog transformations(YamlNode root) throws WorkflowException {
    Catalog catalog = new Catalog();
    Optional<YamlNode> node = find(root, TRANSFORMATIONS);
    if (node.isPresent()) {
      ContainerCatalog containers = ContainerCatalog.of(node.get(), draft);
      for (YamlNode entry : node.get().list("transformations", "a transformation")) {
        transformation(entry, containers).ifPresent(catalog::add);
      }
    }
    return catalog;
  }

  private static Optional<Transformation> transformation(
      YamlNode entry, ContainerCatalog containers) throws WorkflowException {
    Transformation.Name name =
        new Transformation.Name(
            entry.text("namespace").orElse(""),
            entry.require("name", "name the program").nonBlankText(),
            entry.text("version").orElse(""));
    Transformation best = null;
    for (YamlNode site : entry.list("sites", "a site of '" + name + "'")) {
      String path = path(site.require("pfn", "give its path").nonBlankText());
      boolean installed = site.text("type").filter("installed"::equals).isPresent();
      ContainerCatalog.Container container = containers.find(site, entry);
      Map<String, String> environment = new HashMap<>(container.environment());
      environment.putAll(environment(entry));
      environment.putAll(environment(site));
      if (best == null || (installed && !best.installed())) {
        best = new Transformation(name, path, installed, environment, container.image());
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the variables in the profiles of an entry of a catalog. */
  static Map<String, String> environment(YamlNode node) throws WorkflowException {
    Map<String, String> environment = new HashMap<>();
    Optional<YamlNode> profiles = node.get("profiles");
    Optional<YamlNode> variables =
        profiles.isPresent() ? profiles.get().get("env") : Optional.empty();
    if (variables.isPresent()) {
      for (Map.Entry<String, YamlNode> variable : variables.get().pairs().entrySet()) {
        environment.put(variable.getKey(), variable.getValue().text());
      }
    }
    return environment;
  }

  /** Returns the path of a physical file name. */
  static String path(String physicalName) {
    return physicalName.replaceFirst("^file:(//[^/]*)?(?=/)", "");
  }

  void replicas(YamlNode root, PegasusWorkflow workflow) throws WorkflowException {
    Optional<YamlNode> node = find(root, REPLICAS);
    if (node.isEmpty()) {
      return;
    }
    boolean isUnreadable = false;
    for (YamlNode replica : node.get().list("replicas", "a replica")) {
      YamlNode lfn = replica.require("lfn", "name the file");
      FileMention file = new FileMention(lfn.nonBlankText(), lfn.place());
      Optional<YamlNode> metadata = replica.get("metadata");
      Optional<String> size = metadata.isPresent() ? metadata.get().text("size") : Optional.empty();
      if (size.isPresent()) {
        workflow.size(file, size.get());
      } else {
        sizeOnDisk(file, replica.list("pfns", "a place of '" + file.name() + "'"));
      }
      isUnreadable |= !source(file, replica);
      Optional<String> hint =
          metadata.isPresent() ? metadata.get().text(PegasusWorkflow.HINT_KEY) : Optional.empty();
      if (hint.isPresent()) {
        draft.hint(file, hint.get());
      }
    }
    if (isUnreadable) {
      draft.warn(
          "of some files the replica catalog names no place that can be read from here: these"
              + " inputs must be in HDFS, or in the directory they are uploaded from, under their"
              + " logical names");
    }
  }

  /** Adds the first place that can be read; returns whether there is one. */
  private boolean source(FileMention file, YamlNode replica) throws WorkflowException {
    for (YamlNode place : replica.list("pfns", "a place of '" + file.name() + "'")) {
      Optional<String> url = url(place.require("pfn", "give its path").text());
      if (url.isPresent()) {
        draft.source(file, url.get(), checksum(replica));
        return true;
      }
    }
    return false;
  }

  /** Returns the URL of a place that can be read: external, or an existing local file. */
  Optional<String> url(String place) {
    int colon = place.indexOf(':');
    if (colon > 0 && FETCHED.contains(place.substring(0, colon).toLowerCase(Locale.ROOT))) {
      return Optional.of(place);
    }
    String path = path(place);
    return path.startsWith("/") && source.beside(path).filter(Files::isRegularFile).isPresent()
        ? Optional.of(Path.of(path).toUri().toString())
        : Optional.empty();
  }

  private static String checksum(YamlNode replica) throws WorkflowException {
    Optional<YamlNode> checksum = replica.get("checksum");
    Optional<String> sha256 =
        checksum.isPresent() ? checksum.get().text("sha256") : Optional.empty();
    return sha256.map(digits -> "sha256:" + digits).orElse("");
  }

  private void sizeOnDisk(FileMention file, List<YamlNode> places) throws WorkflowException {
    for (YamlNode place : places) {
      String path = path(place.require("pfn", "give its path").text());
      Optional<Path> local = path.startsWith("/") ? source.beside(path) : Optional.empty();
      try {
        if (local.isPresent() && Files.isRegularFile(local.get())) {
          draft.size(file, Files.size(local.get()));
          return;
        }
      } catch (WorkflowException e) {
        throw e;
      } catch (IOException e) {
        draft.warn(place.place(), "cannot read the size of " + path + ": " + e.getMessage());
      }
    }
  }

  void sites(YamlNode root) throws WorkflowException {
    boolean beside = source.beside(SITES).filter(Files::exists).isPresent();
    if (beside || root.get("siteCatalog").isPresent()) {
      draft.warn("the site catalog is ignored: tasks run where YARN has room");
    }
  }

  private Optional<YamlNode> find(YamlNode root, Kind kind) throws WorkflowException {
    Optional<YamlNode> inline = root.get(kind.key());
    if (inline.isPresent() && inline.get().get("$ref").isEmpty()) {
      return inline;
    }
    Optional<String> named =
        inline.isPresent() ? inline.get().text("$ref") : property(kind.property());
    Optional<Path> file = source.beside(named.orElse(kind.fileName()));
    if (file.isEmpty() || (named.isEmpty() && !Files.exists(file.get()))) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file.get())) {
      throw new WorkflowException(
          source.name(),
          inline.map(node -> node.place().toString()).orElse(""),
          "the catalog "
              + file.get()
              + " is missing, which "
              + (inline.isPresent() ? "the workflow" : PROPERTIES)
              + " names",
          "put it there, or write it into the workflow as '" + kind.key() + "'",
          /* cause= */ null);
    }
    return Optional.of(YamlNode.root(WorkflowSource.of(file.get(), source.settings())));
  }

  private Optional<String> property(String key) throws WorkflowException {
    Optional<Path> file = source.beside(PROPERTIES);
    if (file.isEmpty() || !Files.isRegularFile(file.get())) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file.get(), StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new WorkflowException(
          file.get().toString(),
          "",
          "cannot be read (" + e.getMessage() + ")",
          "correct it, or remove it",
          e);
    }
    return Optional.ofNullable(properties.getProperty(key)).map(String::strip).map(Catalogs::path);
  }
}
