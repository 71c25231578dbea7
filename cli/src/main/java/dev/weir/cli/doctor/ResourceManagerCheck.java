package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** Whether the ResourceManager takes the names of files. */
final class ResourceManagerCheck implements Check {
  private static final String BEAN = "Hadoop:service=ResourceManager,name=WeirAsks";

  private final URI daemon;
  private final DaemonPages pages;
  private final String version;

  ResourceManagerCheck(URI daemon, DaemonPages pages, String version) {
    this.daemon = daemon;
    this.pages = pages;
    this.version = version;
  }

  @Override
  public String subject() {
    return "ResourceManager";
  }

  @Override
  public List<Finding> examine() throws IOException {
    Map<String, String> settings = pages.settings(daemon);
    if (!Settings.has(settings, Settings.PROCESSORS_KEY, Settings.PROCESSOR)) {
      return List.of(
          Finding.note(
              subject(),
              Settings.words(settings, Settings.PROCESSORS_KEY) + ": asks cannot name files",
              "if they should, add "
                  + Settings.PROCESSOR
                  + " at its front in yarn-site.xml and restart it"));
    }
    JsonNode bean = pages.bean(daemon, BEAN);
    return bean.isMissingNode()
        ? List.of(
            Finding.wrong(
                subject(),
                "the processor is not loaded: there is no bean WeirAsks",
                "put weir-yarn-scheduler into its share/hadoop/yarn/lib and restart it"))
        : List.of(
            Finding.fine(subject(), "asks may name files"),
            Versions.finding(subject(), bean, version));
  }
}
