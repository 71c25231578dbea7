package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.rpc.MasterConnection;
import java.security.SecureRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A connection to an ApplicationMaster that the test controls. */
final class FakeMasterConnection implements MasterConnection {

  final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
  private ExecutorService thread = Executors.newSingleThreadExecutor();
  private @Nullable Listener listener;

  @Override
  public void send(Message message) {
    received.add(message);
  }

  @Override
  public synchronized void start(Listener target) {
    if (thread.isShutdown()) {
      thread = Executors.newSingleThreadExecutor();
    }
    listener = target;
    notifyAll();
  }

  private synchronized Listener started() throws InterruptedException {
    while (listener == null) {
      wait();
    }
    return listener;
  }

  /** Sends a message to the worker when it listens. */
  void deliver(Message message) {
    Listener target = listener();
    synchronized (this) {
      thread.execute(() -> target.received(message));
    }
  }

  private Listener listener() {
    try {
      return started();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the connection when the worker listens, like a dead ApplicationMaster or a cut link. */
  void die() {
    Listener unused = listener();
    close();
  }

  @Override
  public void close() {
    Listener target;
    synchronized (this) {
      target = listener;
      listener = null;
      try {
        if (target != null) {
          thread.execute(() -> target.ended("closed"));
        }
      } catch (RejectedExecutionException e) {
        throw new IllegalStateException(e);
      }
      thread.shutdown();
    }
  }

  @Override
  public CacheSecurity cacheSecurity() {
    return CacheSecurity.plain(Secret.generate(new SecureRandom()));
  }
}
