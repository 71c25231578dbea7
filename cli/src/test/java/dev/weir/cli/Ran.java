package dev.weir.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/**
 * A command line of {@code weir} that was executed in this process.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it printed besides
 */
public record Ran(int code, String out, String err) {

  /** Executes one. */
  public static Ran weir(String... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
    return new Ran(code, out.toString(), err.toString());
  }
}
