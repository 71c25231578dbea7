package dev.weir.hdfs;

import dev.weir.hints.HintCodec;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** The hints of one run in a file beside a program, which thus need not wait for ZooKeeper. */
final class HintFile {
  private HintFile() {}

  /**
   * Reads a hint set once.
   *
   * @param file JSON on the local disk
   * @throws UncheckedIOException when it cannot be read
   * @throws RuntimeException when it is no hint set; the message names the file and the place
   */
  static HintStore open(Path file) {
    try {
      InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
      store.put(HintCodec.fromJson(Files.readString(file), file.toString()));
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException("Hints of " + file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
