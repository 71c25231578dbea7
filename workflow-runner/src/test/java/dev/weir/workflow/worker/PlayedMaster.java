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

/** A connection to an ApplicationMaster that the test plays. */
final class PlayedMaster implements MasterConnection {

  final BlockingQueue<Message> heard = new LinkedBlockingQueue<>();
  private ExecutorService thread = Executors.newSingleThreadExecutor();
  private @Nullable Listener listener;

  @Override
  public void send(Message message) {
    heard.add(message);
  }

  @Override
  public synchronized void start(Listener hears) {
    if (thread.isShutdown()) {
      thread = Executors.newSingleThreadExecutor();
    }
    listener = hears;
    notifyAll();
  }

  private synchronized Listener started() throws InterruptedException {
    while (listener == null) {
      wait();
    }
    return listener;
  }

  /** Tells the worker something, once it listens. */
  void tell(Message message) {
    Listener hears = listener();
    synchronized (this) {
      thread.execute(() -> hears.received(message));
    }
  }

  private Listener listener() {
    try {
      return started();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The ApplicationMaster dies, or the link is cut, once the worker listens. */
  void die() {
    Listener unused = listener();
    close();
  }

  @Override
  public void close() {
    Listener hears;
    synchronized (this) {
      hears = listener;
      listener = null;
      try {
        if (hears != null) {
          thread.execute(() -> hears.ended("closed"));
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
