package dev.weir.workflow.format;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the user who imports a workflow.
 *
 * @param environment variables that a Makeflow may refer to without defining them
 * @param definitions JX expressions by the name that a JX workflow refers to
 * @param arguments a JX file with an object of such definitions; null for none
 */
public record ImportSettings(
    Map<String, String> environment, Map<String, String> definitions, @Nullable Path arguments) {

  /** Empty settings. */
  public static final ImportSettings NONE = new ImportSettings(Map.of(), Map.of(), null);

  /** Copies the maps. */
  public ImportSettings {
    environment = Map.copyOf(environment);
    definitions = Map.copyOf(definitions);
  }

  /** Returns the file with definitions. */
  public Optional<Path> argumentsFile() {
    return Optional.ofNullable(arguments);
  }
}
