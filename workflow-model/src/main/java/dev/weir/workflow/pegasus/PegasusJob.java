package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.TextPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job of Pegasus while it is read. Not thread-safe. */
final class PegasusJob {

  /**
   * The use of a file by a job.
   *
   * @param delivered whether the file is a result
   */
  record Use(FileMention file, String link, boolean delivered) {}

  final String id;
  final Transformation.Name transformation;
  final TextPlace place;
  final List<Use> uses = new ArrayList<>();
  final Map<String, String> hints = new HashMap<>();
  final Map<String, String> environment = new HashMap<>();
  final Map<String, String> profiles = new HashMap<>();
  final Map<String, FileMention> streams = new HashMap<>();

  /** The file with the workflow that it stands for; null if it runs a program. */
  @Nullable FileMention workflow;

  /** The arguments as on a command line. */
  String arguments = "";

  TextPlace argumentsPlace;
  double runtimeSeconds;

  PegasusJob(String id, Transformation.Name transformation, TextPlace place) {
    this.id = id;
    this.transformation = transformation;
    this.place = place;
    this.argumentsPlace = place;
  }

  /** Adds a profile. Profiles of other systems are ignored. */
  void profile(String namespace, String key, String value) {
    switch (namespace) {
      case "env" -> environment.put(key, value);
      case "pegasus", "condor", "globus" -> profiles.putIfAbsent(key, value);
      case "dagman" -> profiles.putIfAbsent("dagman." + key.toLowerCase(Locale.ROOT), value);
      default -> {}
    }
  }
}
