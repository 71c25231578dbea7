package dev.weir.workflow.protocol;

import java.io.IOException;
import java.net.BindException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;

/**
 * The ports that servers of a session may use.
 *
 * @param key the configuration key that sets it
 * @param first the first port; 0 for any free port
 * @param last the last port
 */
public record PortRange(String key, int first, int last) {

  /** The key for servers of the ApplicationMaster, such as {@code 50100-50200}. */
  public static final String MASTER_KEY = "weir.master.ports";

  /** The key for servers of workers, such as {@code 50300-50400}. */
  public static final String WORKER_KEY = "weir.worker.ports";

  /** Any free port. */
  public static final PortRange ANY = new PortRange("", 0, 0);

  private static final int MAX_PORT = 65_535;
  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})\\s*-\\s*(\\d{1,5})");

  /**
   * Reads a range.
   *
   * @param key the key that sets it
   * @param value such as {@code 50100-50200}, or one port; empty for any free port
   * @throws IllegalArgumentException when it is no range of ports
   */
  public static PortRange parse(String key, String value) {
    if (value.isEmpty()) {
      return ANY;
    }
    Matcher range = RANGE.matcher(value.indexOf('-') < 0 ? value + "-" + value : value);
    if (range.matches()) {
      int first = Integer.parseInt(range.group(1));
      int last = Integer.parseInt(range.group(2));
      if (first > 0 && first <= last && last <= MAX_PORT) {
        return new PortRange(key, first, last);
      }
    }
    throw new IllegalArgumentException(
        key + " = " + value + " is no range of ports: write one such as 50100-50200");
  }

  /** Reads a range from a configuration. */
  public static PortRange of(Configuration conf, String key) {
    return parse(key, conf.getTrimmed(key, ""));
  }

  /**
   * Starts a server on the first free port.
   *
   * @param server starts on a port, 0 for any free one; throws a {@link BindException} when it is
   *     not free
   * @throws IOException when no port is free
   */
  public <T> T bind(FunctionRaisingIOE<Integer, T> server) throws IOException {
    BindException last = null;
    for (int port = first; port <= this.last; port++) {
      try {
        return server.apply(port);
      } catch (BindException e) {
        last = e;
      }
    }
    throw new IOException(
        (first == 0 ? "no port" : "no port of " + key + " = " + first + "-" + this.last)
            + " is free on this node: an ApplicationMaster needs three, a worker one, or two for a task in several containers; give a larger"
            + " range",
        last);
  }
}
