package dev.weir.bench.patterns;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;

/**
 * The file server that the study has as its back-end: GET and PUT of the files of one directory, by
 * the JDK's HTTP server. It is a separate process, because it runs on a separate node.
 */
public final class HttpFileServer {
  private final Path directory;

  private HttpFileServer(Path directory) {
    this.directory = directory;
  }

  /**
   * Serves until the process is killed.
   *
   * @param args address, port and directory
   */
  public static void main(String[] args) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(args[0], Integer.parseInt(args[1])), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", new HttpFileServer(Path.of(args[2]))::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Path file = directory.resolve(exchange.getRequestURI().getPath().substring(1)).normalize();
      if (!directory.equals(file.getParent())) {
        exchange.sendResponseHeaders(HttpURLConnection.HTTP_FORBIDDEN, -1);
      } else if (exchange.getRequestMethod().equals("PUT")) {
        receive(exchange, file);
      } else if (Files.isRegularFile(file)) {
        send(exchange, file);
      } else {
        exchange.sendResponseHeaders(HttpURLConnection.HTTP_NOT_FOUND, -1);
      }
    }
  }

  private static void send(HttpExchange exchange, Path file) throws IOException {
    // 0 would mean an unknown length, -1 no content.
    long bytes = Files.size(file);
    exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, bytes == 0 ? -1 : bytes);
    try (OutputStream out = exchange.getResponseBody()) {
      Files.copy(file, out);
    }
  }

  private static void receive(HttpExchange exchange, Path file) throws IOException {
    try (InputStream in = exchange.getRequestBody()) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    exchange.sendResponseHeaders(HttpURLConnection.HTTP_CREATED, -1);
  }
}
