package dev.weir.service.database;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Another process that keeps an H2 database open until it is killed. */
final class H2OwnerProcess {
  private H2OwnerProcess() {}

  /** Returns once the database is open. */
  static Process of(Path file) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                H2OwnerProcess.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (process.getInputStream().read() < 0) {
      throw new IOException("the other process has ended");
    }
    return process;
  }

  /**
   * Opens the database and waits.
   *
   * @param args the file
   */
  public static void main(String[] args) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:" + args[0])) {
      System.out.write('\n');
      System.out.flush();
      while (System.in.read() >= 0 && !connection.isClosed()) {
        // No input arrives: the read ends with the test.
      }
    }
  }
}
