package dev.weir.workflow.am;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps notes for the user until they can be delivered. Safe for any thread. */
final class EarlyNotes implements Consumer<String> {

  private final Queue<String> kept = new ArrayDeque<>();
  private @Nullable Consumer<String> reader;

  @Override
  public synchronized void accept(String note) {
    if (reader == null) {
      kept.add(note);
    } else {
      reader.accept(note);
    }
  }

  /** Delivers the notes that there are, in their order, and from now on each at once. */
  synchronized void to(Consumer<String> of) {
    reader = of;
    kept.forEach(of);
    kept.clear();
  }
}
