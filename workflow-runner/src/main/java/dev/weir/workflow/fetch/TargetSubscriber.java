package dev.weir.workflow.fetch;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.jspecify.annotations.Nullable;

/** Writes the body of an answer into the target. Bytes that come after {@link #end} are dropped. */
final class TargetSubscriber implements BodySubscriber<Integer> {

  private final @Nullable FetchTarget target;
  private final CompletableFuture<Integer> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private boolean ended;

  /**
   * Creates a subscriber.
   *
   * @param target where the bytes go; null to drop them
   */
  TargetSubscriber(@Nullable FetchTarget target) {
    this.target = target;
  }

  synchronized void begin(InvocationRaisingIOE start) {
    try {
      start.apply();
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  public synchronized void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (ended) {
      given.cancel();
    } else {
      given.request(1);
    }
  }

  @Override
  public synchronized void onNext(List<ByteBuffer> buffers) {
    if (ended) {
      return;
    }
    try {
      if (target != null) {
        for (ByteBuffer buffer : buffers) {
          target.write(buffer);
        }
      }
      if (subscription != null) {
        subscription.request(1);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void fail(Exception problem) {
    ended = true;
    body.completeExceptionally(problem);
    if (subscription != null) {
      subscription.cancel();
    }
  }

  @Override
  public void onError(Throwable problem) {
    body.completeExceptionally(problem);
  }

  @Override
  public void onComplete() {
    body.complete(0);
  }

  @Override
  public CompletionStage<Integer> getBody() {
    return body;
  }

  /** Drops bytes that arrive later. */
  synchronized void end() {
    ended = true;
    if (subscription != null && !body.isDone()) {
      subscription.cancel();
    }
  }
}
