package dev.weir.workflow.session;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.session.TransferSlots.Grant;
import dev.weir.workflow.session.TransferSlots.Reader;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Coordinates workers' transfers of large inputs: grants each request a slot and a source.
 * Thread-safe.
 */
final class TransferCoordinator {

  private final TransferSlots slots;
  private final Map<String, ConnectedWorker> workers = new ConcurrentHashMap<>();
  private final AtomicLong bytesFromCaches = new AtomicLong();

  private record ConnectedWorker(String node, String address, Consumer<Message> connection) {}

  TransferCoordinator(TransferSlots slots) {
    this.slots = slots;
  }

  /**
   * A worker has joined; called before its first message.
   *
   * @param address address of the worker's host
   */
  void joined(WorkerInfo worker, String address, Consumer<Message> connection) {
    workers.put(worker.id(), new ConnectedWorker(worker.node(), address, connection));
  }

  /** Handles a worker's message. */
  boolean handle(String worker, Message message) {
    if (message instanceof Message.TransferWish request) {
      handle(() -> slots.request(new Reader(worker, request.number()), request));
    } else if (message instanceof Message.TransferOver over) {
      bytesFromCaches.addAndGet(over.bytesFromCache());
      handle(() -> slots.finished(new Reader(worker, over.number()), over.whole()));
    } else if (message instanceof Message.Serving serving) {
      cacheOpened(worker, serving.port());
    } else if (message instanceof Message.NotKept missed) {
      synchronized (slots) {
        slots.notKept(worker, missed.content());
      }
    } else {
      return false;
    }
    return true;
  }

  private void cacheOpened(String worker, int port) {
    ConnectedWorker peer = workers.get(worker);
    if (peer != null) {
      synchronized (slots) {
        slots.opened(worker, new TransferSlots.Cache(peer.node(), peer.address() + ":" + port));
      }
    }
  }

  /** A worker has left. */
  void lost(String worker) {
    workers.remove(worker);
    handle(() -> slots.lost(worker));
  }

  /** Returns how many input bytes workers have read from other nodes' caches. */
  long bytesFromCaches() {
    return bytesFromCaches.get();
  }

  private void handle(Supplier<Collection<Grant>> event) {
    Collection<Grant> grants;
    synchronized (slots) {
      grants = event.get();
    }
    for (Grant grant : grants) {
      ConnectedWorker peer = workers.get(grant.reader().worker());
      if (peer != null) {
        peer.connection()
            .accept(new Message.TransferTurn(grant.reader().number(), grant.from(), grant.cache()));
      }
    }
  }
}
