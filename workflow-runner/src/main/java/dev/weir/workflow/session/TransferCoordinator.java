package dev.weir.workflow.session;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.WorkerInfo;
import dev.weir.workflow.session.TransferSlots.Reader;
import dev.weir.workflow.session.TransferSlots.Turn;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Hears what large files workers want to read, and what outputs they want to send to the same node,
 * and tells them when and from where. Thread-safe.
 */
final class TransferCoordinator {

  private final TransferSlots slots;
  private final Map<String, Guest> workers = new ConcurrentHashMap<>();
  private final AtomicLong bytesFromCaches = new AtomicLong();

  private record Guest(String node, String address, Consumer<Message> connection) {}

  TransferCoordinator(TransferSlots slots) {
    this.slots = slots;
  }

  /**
   * A worker is there; comes before anything that it says.
   *
   * @param address by which its host is reached
   */
  void joined(WorkerInfo worker, String address, Consumer<Message> connection) {
    workers.put(worker.id(), new Guest(worker.node(), address, connection));
  }

  /**
   * Hears a worker.
   *
   * @return whether the message was for this desk
   */
  boolean heard(String worker, Message message) {
    if (message instanceof Message.TransferWish wish) {
      tell(
          () ->
              slots.wish(
                  new Reader(worker, wish.number()),
                  new TransferSlots.Wish(wish.content(), wish.holders())));
    } else if (message instanceof Message.TransferOver over) {
      bytesFromCaches.addAndGet(over.bytesFromCache());
      tell(() -> slots.over(new Reader(worker, over.number()), over.whole()));
    } else if (message instanceof Message.Serving serving) {
      opened(worker, serving.port());
    } else if (message instanceof Message.NotKept missed) {
      synchronized (slots) {
        slots.notKept(worker, missed.content());
      }
    } else {
      return false;
    }
    return true;
  }

  private void opened(String worker, int port) {
    Guest guest = workers.get(worker);
    if (guest != null) {
      synchronized (slots) {
        slots.opened(worker, new TransferSlots.Cache(guest.node(), guest.address() + ":" + port));
      }
    }
  }

  /** A worker is gone. */
  void left(String worker) {
    workers.remove(worker);
    tell(() -> slots.left(worker));
  }

  /** How many bytes of inputs workers have read from the caches of other nodes. */
  long bytesFromCaches() {
    return bytesFromCaches.get();
  }

  private void tell(Supplier<Collection<Turn>> event) {
    Collection<Turn> turns;
    synchronized (slots) {
      turns = event.get();
    }
    for (Turn turn : turns) {
      Guest guest = workers.get(turn.reader().worker());
      if (guest != null) {
        guest
            .connection()
            .accept(new Message.TransferTurn(turn.reader().number(), turn.from(), turn.cache()));
      }
    }
  }
}
