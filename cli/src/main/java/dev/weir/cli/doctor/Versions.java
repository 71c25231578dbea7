package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;

/** Which version of Weir a daemon runs. */
final class Versions {
  private Versions() {}

  /**
   * What is to be said of it.
   *
   * @param bean the daemon's bean of metrics
   * @param own the version of this client
   */
  static Finding finding(String subject, JsonNode bean, String own) {
    String version = bean.path("tag.Version").asText("an older version");
    return version.equals(own)
        ? Finding.fine(subject, "runs Weir " + version)
        : Finding.note(
            subject,
            "runs Weir " + version + ", this client is " + own,
            "bring the jars to one version; daemons may be a version ahead of clients");
  }
}
