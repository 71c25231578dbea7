package dev.weir.service.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A request as bytes on its own connection, for requests that no correct client would send.
 *
 * @param head the request line and the headers, without their length and end
 * @param body what follows
 */
record RawCall(String head, String body) {
  private static final int TIMEOUT_MILLIS = 30_000;

  /**
   * The response.
   *
   * @param status 0 if there was none
   * @param headers in lower case
   * @param body as it was received, with chunk headers
   */
  record Reply(int status, String headers, String body) {}

  /**
   * Sends the request and reads until the connection ends.
   *
   * @throws IOException if that takes 30 seconds
   */
  Reply send(URI server) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String end = "Connection: close\r\nContent-Length: " + bytes.length + "\r\n\r\n";
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.write((head + end).getBytes(StandardCharsets.UTF_8));
    request.write(bytes);
    try (Socket socket = new Socket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      try {
        OutputStream out = socket.getOutputStream();
        request.writeTo(out);
        out.flush();
      } catch (IOException e) {
        // The server may respond before it has read everything, and close the connection.
      }
      return reply(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Reply reply(String text) {
    int end = text.indexOf("\r\n\r\n");
    if (end < 0 || !text.startsWith("HTTP/1.1 ")) {
      return new Reply(0, "", text);
    }
    int status = Integer.parseInt(text.substring(9, 12));
    return new Reply(
        status, text.substring(0, end).toLowerCase(Locale.ROOT), text.substring(end + 4));
  }
}
