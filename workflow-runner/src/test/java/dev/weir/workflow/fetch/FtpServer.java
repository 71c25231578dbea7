package dev.weir.workflow.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An FTP server with one file, for passive transfers. It does not say how long the file is. */
final class FtpServer implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final byte[] content;

  FtpServer(byte[] content) throws IOException {
    this.content = content;
    threads.execute(
        () -> {
          try {
            while (true) {
              Socket client = server.accept();
              threads.execute(() -> serve(client));
            }
          } catch (IOException e) {
            // The server is closed.
          }
        });
  }

  String url(String path) {
    return "ftp://localhost:" + server.getLocalPort() + path;
  }

  private void serve(Socket client) {
    try (client;
        ServerSocket data = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      OutputStream out = client.getOutputStream();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1));
      say(out, "220 ready");
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", 2);
        boolean isFile = words.length > 1 && words[1].endsWith("file");
        switch (words[0]) {
          case "USER" -> say(out, "331 password");
          case "PASS" -> say(out, "230 welcome");
          case "EPSV" -> say(out, "229 passive (|||" + data.getLocalPort() + "|)");
          case "SIZE" -> say(out, isFile ? "213 " + content.length : "550 no such file");
          case "TYPE", "CWD", "REST", "NOOP" -> say(out, "200 fine");
          case "RETR" -> {
            if (isFile) {
              say(out, "150 opening");
              try (Socket transfer = data.accept()) {
                transfer.getOutputStream().write(content);
              } catch (IOException e) {
                // The client has read enough.
              }
              say(out, "226 done");
            } else {
              say(out, "550 no such file");
            }
          }
          case "QUIT" -> say(out, "221 bye");
          default -> say(out, "502 unknown");
        }
      }
    } catch (IOException e) {
      // The client has left.
    }
  }

  private static void say(OutputStream out, String line) throws IOException {
    out.write((line + "\r\n").getBytes(ISO_8859_1));
    out.flush();
  }

  @Override
  public void close() throws IOException {
    server.close();
    threads.shutdownNow();
  }
}
