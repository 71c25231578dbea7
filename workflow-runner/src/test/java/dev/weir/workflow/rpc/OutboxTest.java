package dev.weir.workflow.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OutboxTest {

  private long nowNanos;
  private long wayMillis;
  private final List<Message> answers = new ArrayList<>();
  private final Outbox outbox = new Outbox(() -> nowNanos, answers::add);

  private static Message message(int number) {
    return new Message.ShowLog("message " + number);
  }

  private List<Message> messages(List<Batch.Item> items) throws IOException {
    List<Message> messages = new ArrayList<>();
    for (Batch.Item item : items) {
      messages.add(item.message(wayMillis));
    }
    return messages;
  }

  @Test
  void unacknowledgedMessagesAreSentAgain() throws IOException {
    outbox.add(message(0));
    outbox.add(message(1));
    assertThat(messages(outbox.batch().after(0))).containsExactly(message(0), message(1));
    outbox.add(message(2));

    outbox.acknowledge(1);

    assertThat(outbox.batch().first()).isEqualTo(1);
    assertThat(messages(outbox.batch().after(1))).containsExactly(message(1), message(2));
    outbox.acknowledge(3);
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void duplicatesAreIgnored() throws IOException {
    outbox.add(message(0));
    outbox.add(message(1));

    assertThat(messages(outbox.batch().after(1))).containsExactly(message(1));
    assertThat(outbox.batch().after(2)).isEmpty();
    assertThat(outbox.batch().after(5)).isEmpty();
  }

  @Test
  void missingMessageIsDetected() throws IOException {
    outbox.add(message(0));
    assertThat(outbox.batch().messages()).hasSize(1);
    outbox.acknowledge(1);
    outbox.add(message(1));

    assertThatIOException().isThrownBy(() -> outbox.batch().after(0));
    assertThatIOException().isThrownBy(() -> outbox.acknowledge(3));
  }

  @Test
  void delayedOrderAsksForPermissionEarlier() throws IOException {
    TaskOrder order =
        new TaskOrder(
                "t",
                1,
                "1",
                List.of("true"),
                List.of(),
                List.of(),
                Map.of(),
                false,
                0,
                ResourceNeeds.ONE_CORE)
            .asking(2_000);
    outbox.add(new Message.Run(order));

    nowNanos = TimeUnit.MILLISECONDS.toNanos(500);
    assertThat(messages(outbox.batch().after(0)))
        .containsExactly(new Message.Run(order.asking(1_500)));
    wayMillis = 100;
    assertThat(messages(outbox.batch().after(0)))
        .containsExactly(new Message.Run(order.asking(1_400)));
    nowNanos = TimeUnit.MINUTES.toNanos(1);
    assertThat(messages(outbox.batch().after(0))).containsExactly(new Message.Run(order.asking(0)));
  }

  private static Message randomMessage(int bytes) {
    byte[] randomMessage = new byte[bytes];
    new Random(bytes).nextBytes(randomMessage);
    return new Message.ShowLog(Base64.getEncoder().encodeToString(randomMessage));
  }

  @Test
  void batchIsLimitedToTheMaximumLength() throws IOException {
    for (Message next : List.of(randomMessage(40_000), randomMessage(4_000_000), message(2))) {
      outbox.add(next);
    }

    for (int number = 0; number < 3; number++) {
      Batch batch = outbox.batch();
      assertThat(batch.first()).isEqualTo(number);
      assertThat(batch.messages()).hasSize(1);
      outbox.acknowledge(number + 1);
    }
    assertThat(outbox.isEmpty()).isTrue();
  }

  @Test
  void messageThatCannotBeEncodedIsKept() {
    List<Message> refused = new ArrayList<>();
    AtomicBoolean hasMemory = new AtomicBoolean();
    Outbox box =
        new Outbox(
            () -> 0,
            answer -> {
              if (!hasMemory.getAndSet(true)) {
                throw new OutOfMemoryError("as it may be");
              }
              refused.add(answer);
            });
    box.add(WorkerChannelTest.TOO_LONG_ORDER);

    assertThatThrownBy(box::batch).isInstanceOf(OutOfMemoryError.class);
    assertThat(box.isEmpty()).isFalse();
    assertThat(box.batch().messages()).isEmpty();
    assertThat(refused).hasSize(1);
    assertThat(box.isEmpty()).isTrue();
  }

  @Test
  void waitingRemovesNoMessage() throws Exception {
    outbox.add(message(0));

    outbox.awaitMessage();
    outbox.awaitMessage();

    assertThat(outbox.queued()).isEqualTo(1);
    assertThat(messages(outbox.batch().after(0))).containsExactly(message(0));
    outbox.awaitMessage();
  }
}
