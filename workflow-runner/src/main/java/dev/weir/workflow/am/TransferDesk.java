package dev.weir.workflow.am;

import dev.weir.workflow.am.TransferSlots.Reader;
import dev.weir.workflow.am.TransferSlots.Turn;
import dev.weir.workflow.protocol.Message;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Hears what large files workers want to read and tells them when. Thread-safe. */
final class TransferDesk {

  private final TransferSlots slots;
  private final Map<String, Consumer<Message>> workers = new ConcurrentHashMap<>();

  TransferDesk(TransferSlots slots) {
    this.slots = slots;
  }

  /** A worker is there; comes before any wish of its. */
  void joined(String worker, Consumer<Message> connection) {
    workers.put(worker, connection);
  }

  /** A worker wants to read something. */
  void wished(String worker, Message.ReadWish wish) {
    Reader reader = new Reader(worker, wish.number());
    Collection<Turn> turns;
    synchronized (slots) {
      turns = slots.wish(reader, wish.holders()).stream().toList();
    }
    tell(turns);
  }

  /** A worker has read, or does not want to any more. */
  void over(String worker, Message.ReadOver over) {
    Collection<Turn> turns;
    synchronized (slots) {
      turns = slots.over(new Reader(worker, over.number()));
    }
    tell(turns);
  }

  /** A worker is gone. */
  void left(String worker) {
    workers.remove(worker);
    Collection<Turn> turns;
    synchronized (slots) {
      turns = slots.left(worker);
    }
    tell(turns);
  }

  private void tell(Collection<Turn> turns) {
    for (Turn turn : turns) {
      Consumer<Message> worker = workers.get(turn.reader().worker());
      if (worker != null) {
        worker.accept(new Message.ReadTurn(turn.reader().number(), turn.from()));
      }
    }
  }
}
