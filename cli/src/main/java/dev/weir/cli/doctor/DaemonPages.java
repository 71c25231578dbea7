package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** The pages that each of Hadoop's daemons has, read as JSON. */
@FunctionalInterface
interface DaemonPages {
  /**
   * Reads a page.
   *
   * @param daemon where the daemon's pages are
   * @param page its path with its query, such as {@code /jmx?qry=java.lang:*}
   * @throws IOException when it is not to be had
   */
  JsonNode read(URI daemon, String page) throws IOException;

  /** The settings that a daemon runs with. */
  default Map<String, String> settings(URI daemon) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (JsonNode property : read(daemon, "/conf").path("properties")) {
      settings.put(property.path("key").asText(), property.path("value").asText());
    }
    return settings;
  }

  /** A bean of a daemon; a missing node when there is none of that name. */
  default JsonNode bean(URI daemon, String name) throws IOException {
    return read(daemon, "/jmx?qry=" + name).path("beans").path(0);
  }
}
