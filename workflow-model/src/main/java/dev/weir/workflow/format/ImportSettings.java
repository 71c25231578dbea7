package dev.weir.workflow.format;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What whoever reads a workflow adds to its file.
 *
 * @param environment variables that a Makeflow may refer to without defining them
 * @param definitions JX expressions by the name that a JX workflow refers to
 * @param arguments a JX file with an object of such definitions; null for none
 */
public record ImportSettings(
    Map<String, String> environment, Map<String, String> definitions, @Nullable Path arguments) {

  /** Adds nothing. */
  public static final ImportSettings NONE = new ImportSettings(Map.of(), Map.of(), null);

  /** Copies. */
  public ImportSettings {
    environment = Map.copyOf(environment);
    definitions = Map.copyOf(definitions);
  }

  /** The file with definitions. */
  public Optional<Path> argumentsFile() {
    return Optional.ofNullable(arguments);
  }
}
