package dev.weir.hdfs.audit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes texts from many threads to one. Each thread has its stripe, which few others share. A text
 * is dropped and counted if the stripe is full or another thread writes to it at the same time, so
 * that {@link #offer} neither blocks nor allocates.
 */
final class LossyBuffer {
  private static final int STRIPES = 64;
  static final int SLOTS = 512;

  /** The most texts in the buffer. */
  static final int CAPACITY = STRIPES * SLOTS;

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final LongAdder dropped = new LongAdder();

  LossyBuffer() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  void offer(String text) {
    // The handlers of a server have consecutive ids.
    if (!stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)].offer(text)) {
      dropped.increment();
    }
  }

  /** Removes all texts. Only one thread may call it at a time. Returns their number. */
  int drain(Consumer<String> consumer) {
    int drained = 0;
    for (Stripe stripe : stripes) {
      drained += stripe.drain(consumer);
    }
    return drained;
  }

  /** The number of texts that were dropped. */
  long dropped() {
    return dropped.sum();
  }

  private static final class Stripe {
    private final AtomicLong tail = new AtomicLong();
    private final AtomicReferenceArray<@Nullable String> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong head = new AtomicLong();

    boolean offer(String text) {
      long position = tail.get();
      if (position - head.get() >= SLOTS || !tail.compareAndSet(position, position + 1)) {
        return false;
      }
      slots.lazySet((int) position & (SLOTS - 1), text);
      return true;
    }

    int drain(Consumer<String> consumer) {
      long first = head.get();
      long position = first;
      for (long end = tail.get(); position < end; position++) {
        int slot = (int) position & (SLOTS - 1);
        String text = slots.get(slot);
        if (text == null) {
          break; // Its writer has reserved the slot and is about to fill it.
        }
        slots.lazySet(slot, null);
        consumer.accept(text);
      }
      head.set(position);
      return (int) (position - first);
    }
  }
}
