package dev.weir.cli.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Sends ZooKeeper's commands of four letters over TCP. */
final class ZooKeeperWords {
  private static final int TIMEOUT_MS = Math.toIntExact(Duration.ofSeconds(5).toMillis());

  private ZooKeeperWords() {}

  /** Returns a server's answer. */
  static String ask(String host, int port, String word) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
