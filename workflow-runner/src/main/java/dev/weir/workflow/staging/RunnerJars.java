package dev.weir.workflow.staging;

import dev.weir.hints.HintSet;
import dev.weir.workflow.model.Workflow;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;

/** Locates the jars that a run's containers need. */
public final class RunnerJars {

  private RunnerJars() {}

  /**
   * Returns the jars from which this process runs.
   *
   * @return the jars of the runner, of the workflow model and of the hints, and that of the YAML
   *     parser, which reads workflows that tasks make
   * @throws RunException if this process does not run from jars
   */
  public static List<Path> ofThisProcess() throws RunException {
    return List.of(
        jarOf(RunnerJars.class), jarOf(Workflow.class), jarOf(HintSet.class), jarOf(Load.class));
  }

  private static Path jarOf(Class<?> type) throws RunException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    try {
      if (source != null) {
        Path path = Path.of(source.getLocation().toURI());
        if (Files.isRegularFile(path)) {
          return path;
        }
      }
    } catch (URISyntaxException e) {
      throw new RunException("Cannot tell where " + type.getName() + " was loaded from", e);
    }
    throw new RunException(
        type.getName()
            + " was not loaded from a jar: run the weir command of a distribution, or build the"
            + " jars with 'mvn package'");
  }
}
