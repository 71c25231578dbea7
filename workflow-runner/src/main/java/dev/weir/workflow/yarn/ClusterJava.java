package dev.weir.workflow.yarn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the version of a cluster's Java from the web server of its ResourceManager. NodeManagers
 * usually run the same version, and containers inherit theirs.
 */
public final class ClusterJava {
  /** The version that the runner's classes need. */
  public static final int NEEDED = 17;

  private static final Logger LOG = LoggerFactory.getLogger(ClusterJava.class);
  private static final String PAGE = "/jmx?qry=java.lang:type=Runtime";
  private static final int CONNECT_MILLIS = Math.toIntExact(Duration.ofMillis(500).toMillis());

  /** The first answer of a busy daemon takes a second or more. */
  private static final int READ_MILLIS = Math.toIntExact(Duration.ofSeconds(5).toMillis());

  private ClusterJava() {}

  /**
   * Returns the version of a daemon's Java, such as 8 or 17; 0 if the daemon cannot be reached,
   * does not answer within five seconds, or answers only callers with a Kerberos ticket.
   *
   * @param daemon the address of the daemon's web server
   */
  public static int version(URI daemon) {
    try {
      URLConnection connection = daemon.resolve(PAGE).toURL().openConnection();
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(READ_MILLIS);
      try (InputStream body = connection.getInputStream()) {
        JsonNode bean = new ObjectMapper().readTree(body).path("beans").path(0);
        return feature(bean.path("SpecVersion").asText());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The Java of {} is not known", daemon, e);
      return 0;
    }
  }

  /**
   * Returns the version in Java's system property {@code java.specification.version}, such as 8 for
   * "1.8", or 17; 0 if it is none.
   */
  public static int feature(String specification) {
    String feature = specification.startsWith("1.") ? specification.substring(2) : specification;
    return feature.matches("\\d{1,4}") ? Integer.parseInt(feature) : 0;
  }
}
