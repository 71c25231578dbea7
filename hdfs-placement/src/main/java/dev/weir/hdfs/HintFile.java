package dev.weir.hdfs;

import dev.weir.hints.HintCodec;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.InMemoryHintStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Reads the hints of one run from a local file, so that programs need not wait for ZooKeeper. */
final class HintFile {
  private HintFile() {}

  /**
   * Reads a hint set once.
   *
   * @param file JSON on the local disk
   * @throws UncheckedIOException if the file cannot be read
   * @throws RuntimeException if it is not a hint set; the message names the file and the position
   */
  static HintStore open(Path file) {
    try {
      InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
      store.put(HintCodec.fromJson(Files.readString(file), file.toString()));
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read hints of " + file + ": " + e.getMessage(), e);
    }
  }
}
