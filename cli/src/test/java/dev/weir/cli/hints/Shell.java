package dev.weir.cli.hints;

import dev.weir.cli.Weir;
import dev.weir.hints.client.FakeService;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs commands against a service that answers as it was told. */
final class Shell implements AutoCloseable {
  private final FakeService service = new FakeService();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  FakeService service() {
    return service;
  }

  /** Runs a command line, written with single spaces, against the service. */
  int run(String line, String... more) {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    words.addAll(List.of(more));
    words.addAll(List.of("--server", service.url().toString()));
    return runAsIs(words);
  }

  int runAsIs(List<String> words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine weir = Weir.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return weir.execute(words.toArray(new String[0]));
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  @Override
  public void close() {
    service.close();
  }
}
