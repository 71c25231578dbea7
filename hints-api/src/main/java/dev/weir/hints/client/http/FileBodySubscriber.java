package dev.weir.hints.client.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of an answer to a file, replacing its content, and counts the received bytes.
 * After it was closed nothing is written: the next attempt uses the file then.
 */
final class FileBodySubscriber implements BodySubscriber<byte[]>, AutoCloseable {
  private static final byte[] EMPTY = new byte[0];

  private final Path file;
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private @Nullable FileChannel channel;
  private @Nullable Subscription subscription;
  private long received;

  FileBodySubscriber(Path file) {
    this.file = file;
  }

  /** The number of bytes received. */
  synchronized long received() {
    return received;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public synchronized void onSubscribe(Subscription newSubscription) {
    subscription = newSubscription;
    try {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE);
      newSubscription.request(1);
    } catch (IOException e) {
      fail(new UnwritableException(file, e));
    }
  }

  @Override
  public synchronized void onNext(List<ByteBuffer> buffers) {
    FileChannel target = channel;
    Subscription source = subscription;
    if (target == null || source == null) {
      return;
    }
    try {
      for (ByteBuffer buffer : buffers) {
        while (buffer.hasRemaining()) {
          received += target.write(buffer);
        }
      }
      source.request(1);
    } catch (IOException e) {
      fail(new UnwritableException(file, e));
    }
  }

  @Override
  public synchronized void onError(Throwable failure) {
    fail(failure);
  }

  @Override
  public synchronized void onComplete() {
    close();
    body.complete(EMPTY);
  }

  private void fail(Throwable failure) {
    if (subscription != null) {
      subscription.cancel();
    }
    close();
    body.completeExceptionally(failure);
  }

  /** Stops writing. Idempotent. */
  @Override
  public synchronized void close() {
    FileChannel target = channel;
    channel = null;
    if (target == null) {
      return;
    }
    try {
      target.close();
    } catch (IOException e) {
      body.completeExceptionally(new UnwritableException(file, e));
    }
  }

  /** The local file cannot be written, which is not a failure of the service. */
  static final class UnwritableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnwritableException(Path file, IOException cause) {
      super("cannot write the answer to " + file + ": " + cause, cause);
    }
  }
}
