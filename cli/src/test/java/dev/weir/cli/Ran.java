package dev.weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/**
 * The result of a {@code weir} command line that was executed in this process.
 *
 * @param code its exit code
 * @param out the standard output
 * @param err the error output
 */
public record Ran(int code, String out, String err) {

  /** Executes a command line. */
  public static Ran weir(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
    return new Ran(code, out.toString(), err.toString());
  }

  /**
   * Executes a command line that knows the clusters of a directory only.
   *
   * @param clusters in place of the directory for temporary files, where clusters are registered
   */
  public static Ran weirWithClustersOf(Path clusters, String... words) {
    String before = System.setProperty("java.io.tmpdir", clusters.toString());
    try {
      return weir(words);
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }
}
