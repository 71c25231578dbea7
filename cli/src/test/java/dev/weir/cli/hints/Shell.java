package dev.weir.cli.hints;

import dev.weir.cli.Ran;
import dev.weir.hints.client.FakeService;
import java.util.ArrayList;
import java.util.List;

/** Runs commands against a fake service with prepared answers. */
final class Shell implements AutoCloseable {
  private final FakeService service = new FakeService();
  private Ran last = new Ran(0, "", "");

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
    last = Ran.weir(words.toArray(new String[0]));
    return last.code();
  }

  String out() {
    return last.out();
  }

  String err() {
    return last.err();
  }

  @Override
  public void close() {
    service.close();
  }
}
