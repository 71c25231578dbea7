package dev.weir.cli.doctor;

import dev.weir.hints.HintSettings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks that no host has almost as many connections as a ZooKeeper server accepts from one host.
 */
final class ZooKeeperCheck implements Check {
  private static final String SUBJECT = "ZooKeeper";
  private static final int DEFAULT_PORT = 2181;

  /** ZooKeeper's own default of {@code maxClientCnxns}. */
  private static final int DEFAULT_LIMIT = 60;

  private static final double NEAR = 0.8;
  private static final Pattern SESSION = Pattern.compile("(?m)^ */(\\S+):\\d+\\[.*\\bsid=0x");
  private static final Pattern LIMIT = Pattern.compile("(?m)^maxClientCnxns=(-?\\d+)");
  private static final Pattern TOTAL = Pattern.compile("(?m)^Connections: (\\d+)");

  private final List<URI> nameNodes;
  private final DaemonPages pages;
  private final FourLetterWords words;

  /** ZooKeeper's commands of four letters. */
  @FunctionalInterface
  interface FourLetterWords {
    /** Returns a server's answer; that the command is not permitted is an answer, too. */
    String ask(String host, int port, String word) throws IOException;
  }

  /**
   * Creates a check.
   *
   * @param nameNodes the first of them that answers knows which ZooKeeper is used
   */
  ZooKeeperCheck(List<URI> nameNodes, DaemonPages pages, FourLetterWords words) {
    this.nameNodes = nameNodes;
    this.pages = pages;
    this.words = words;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() throws IOException {
    String quorum =
        Daemons.settings(nameNodes, pages).getOrDefault(HintSettings.QUORUM_KEY, "").trim();
    List<Finding> findings = new ArrayList<>();
    // NameNodeCheck reports a missing quorum.
    for (String server : quorum.isEmpty() ? new String[0] : quorum.split("\\s*,\\s*", -1)) {
      String address = server.replaceFirst("/.*", "");
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? address : address.substring(0, colon);
      int port = colon < 0 ? DEFAULT_PORT : Integer.parseInt(address.substring(colon + 1));
      try {
        findings.add(server(host, port));
      } catch (IOException e) {
        findings.add(
            Finding.unknown(
                SUBJECT,
                "the connections of " + address + " are not known: " + e.getMessage(),
                "see that 'echo srvr | nc " + host + " " + port + "' answers from here"));
      }
    }
    return findings;
  }

  private Finding server(String host, int port) throws IOException {
    String server = host + ":" + port;
    Matcher configured = LIMIT.matcher(words.ask(host, port, "conf"));
    boolean isLimitKnown = configured.find();
    int limit = isLimitKnown ? Integer.parseInt(configured.group(1)) : DEFAULT_LIMIT;
    String bound =
        limit <= 0
            ? "without a limit"
            : "of at most " + limit + " (maxClientCnxns" + (isLimitKnown ? ")" : "'s default)");
    String sessions = words.ask(host, port, "cons");
    Map<String, Long> hosts =
        SESSION
            .matcher(sessions)
            .results()
            .collect(Collectors.groupingBy(found -> found.group(1), Collectors.counting()));
    if (!hosts.isEmpty()) {
      return most(server, hosts, limit, bound);
    }
    Matcher total = TOTAL.matcher(words.ask(host, port, "srvr"));
    if (!total.find()) {
      return Finding.unknown(
          SUBJECT,
          server + " does not tell its connections",
          "zoo.cfg: 4lw.commands.whitelist = srvr,conf,cons, then restart it");
    }
    int all = Integer.parseInt(total.group(1));
    return limit <= 0 || all < NEAR * limit
        ? Finding.fine(
            SUBJECT, server + " has " + all + " connections in all; for one host " + bound)
        : Finding.unknown(
            SUBJECT,
            server + " has " + all + " connections, and does not tell from which hosts",
            "zoo.cfg: 4lw.commands.whitelist = srvr,conf,cons, then restart it; or on its host: ss"
                + " -tn 'sport = :"
                + port
                + "'");
  }

  private static Finding most(String server, Map<String, Long> hosts, int limit, String bound) {
    Map.Entry<String, Long> most =
        hosts.entrySet().stream().max(Comparator.comparing(Map.Entry::getValue)).orElseThrow();
    long all = hosts.values().stream().mapToLong(Long::longValue).sum();
    String text =
        "%s has %d connections from %d hosts; most from %s: %d %s"
            .formatted(server, all, hosts.size(), most.getKey(), most.getValue(), bound);
    return limit <= 0 || most.getValue() < NEAR * limit
        ? Finding.fine(SUBJECT, text)
        : Finding.note(
            SUBJECT,
            text,
            "a NameNode or hints service there may find no connection left: see its processes with"
                + " ss -tnp 'dport = :"
                + server.substring(server.lastIndexOf(':') + 1)
                + "', or zoo.cfg: maxClientCnxns = "
                + 2 * limit
                + ", then restart ZooKeeper");
  }
}
