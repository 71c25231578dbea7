package dev.weir.cli.doctor;

import dev.weir.hints.HintSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Checks that no host has almost as many connections as a ZooKeeper server accepts from one host.
 *
 * @param nameNodes the first of them that answers knows which ZooKeeper is used
 */
record ZooKeeperCheck(List<URI> nameNodes, DaemonPages pages, FourLetterWords words)
    implements Check {
  private static final String SUBJECT = "ZooKeeper";
  private static final int DEFAULT_PORT = 2181;
  private static final int TIMEOUT_MS = 5_000;

  /** ZooKeeper's own default of {@code maxClientCnxns}. */
  private static final int DEFAULT_LIMIT = 60;

  private static final double NEAR = 0.8;
  private static final Pattern SESSION = Pattern.compile("(?m)^ */(\\S+):\\d+\\[.*\\bsid=0x");
  private static final Pattern LIMIT = Pattern.compile("(?m)^maxClientCnxns=(-?\\d+)");
  private static final Pattern TOTAL = Pattern.compile("(?m)^Connections: (\\d+)");

  /** ZooKeeper's commands of four letters. */
  @FunctionalInterface
  interface FourLetterWords {
    /** Returns a server's answer; that the command is not permitted is an answer, too. */
    String ask(String host, int port, String word) throws IOException;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) throws IOException {
    String quorum =
        Daemons.settings(nameNodes, pages).getOrDefault(HintSettings.QUORUM_KEY, "").trim();
    // NameNodeCheck reports a missing quorum.
    for (String server : quorum.isEmpty() ? new String[0] : quorum.split("\\s*,\\s*", -1)) {
      String address = server.replaceFirst("/.*", "");
      int colon = address.lastIndexOf(':');
      String host = colon < 0 ? address : address.substring(0, colon);
      int port = colon < 0 ? DEFAULT_PORT : Integer.parseInt(address.substring(colon + 1));
      try {
        server(host, port, findings);
      } catch (IOException e) {
        findings.unknown(
            "the connections of " + address + " are not known: " + e.getMessage(),
            "see that 'echo srvr | nc " + host + " " + port + "' answers from here");
      }
    }
  }

  private void server(String host, int port, Findings findings) throws IOException {
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
      most(server, hosts, limit, bound, findings);
      return;
    }
    Matcher total = TOTAL.matcher(words.ask(host, port, "srvr"));
    if (!total.find()) {
      findings.unknown(
          server + " does not tell its connections",
          "zoo.cfg: 4lw.commands.whitelist = srvr,conf,cons, then restart it");
      return;
    }
    int all = Integer.parseInt(total.group(1));
    if (limit <= 0 || all < NEAR * limit) {
      findings.fine(server + " has " + all + " connections in all; for one host " + bound);
    } else {
      findings.unknown(
          server + " has " + all + " connections, and does not tell from which hosts",
          "zoo.cfg: 4lw.commands.whitelist = srvr,conf,cons, then restart it; or on its host: ss"
              + " -tn 'sport = :"
              + port
              + "'");
    }
  }

  /** Asks a server over TCP. */
  static String ask(String host, int port, String word) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void most(
      String server, Map<String, Long> hosts, int limit, String bound, Findings findings) {
    Map.Entry<String, Long> most =
        hosts.entrySet().stream().max(Comparator.comparing(Map.Entry::getValue)).orElseThrow();
    long all = hosts.values().stream().mapToLong(Long::longValue).sum();
    String text =
        "%s has %d connections from %d hosts; most from %s: %d %s"
            .formatted(server, all, hosts.size(), most.getKey(), most.getValue(), bound);
    if (limit <= 0 || most.getValue() < NEAR * limit) {
      findings.fine(text);
    } else {
      findings.note(
          text,
          "a NameNode or hints service there may find no connection left: see its processes with"
              + " ss -tnp 'dport = :"
              + server.substring(server.lastIndexOf(':') + 1)
              + "', or zoo.cfg: maxClientCnxns = "
              + 2 * limit
              + ", then restart ZooKeeper");
    }
  }
}
