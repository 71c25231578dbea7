package dev.weir.workflow.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.MessageCodec;
import dev.weir.workflow.protocol.ResourceNeeds;
import dev.weir.workflow.protocol.TaskOrder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class WorkerChannelTest {

  /** An order that is too long for any message. */
  static final Message TOO_LONG_ORDER = tooLong();

  private static final RpcConfig CONFIG = new RpcConfig("authentication", Duration.ofSeconds(12));

  private final List<String> ends = new ArrayList<>();
  private final List<Batch> replies = new ArrayList<>();
  private final Queue<Runnable> scheduled = new ArrayDeque<>();
  private final WorkerChannel session =
      new WorkerChannel("w1", 1, 2, new Master(), scheduled::add, ended -> {});

  /** An ApplicationMaster that throws on every call. */
  private final class Master implements WorkerRpcServer.Listener {

    @Override
    public void joined(String worker, String node, String address, Connection connection) {
      throw new IllegalStateException("not of a session");
    }

    @Override
    public void received(String worker, Message message) {
      throw new IllegalStateException("as it may be");
    }

    @Override
    public void lost(String worker, String reason) {
      ends.add(reason);
    }
  }

  private static Message tooLong() {
    byte[] noise = new byte[8 << 20];
    new Random(1).nextBytes(noise);
    String command = Base64.getEncoder().encodeToString(noise);
    return new Message.Run(
        new TaskOrder(
            "t",
            1,
            "1",
            List.of(command),
            List.of(),
            List.of(),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE));
  }

  private void runScheduled() {
    for (Runnable next = scheduled.poll(); next != null; next = scheduled.poll()) {
      next.run();
    }
  }

  @Test
  void workerWithAnUnsendableMessageIsEnded() throws IOException {
    session.poll(0, (received, next) -> replies.add(next));
    session.send(TOO_LONG_ORDER);
    runScheduled();

    assertThat(replies).containsExactly(new Batch(0, List.of()));
    assertThat(ends).hasSize(1);
  }

  @Test
  void onlyPollsKeepAWorkerAlive() throws IOException {
    session.poll(0, (received, next) -> replies.add(next));
    session.checkSilence(11_999, CONFIG);
    session.tell(0, new Batch(0, List.of()), (received, next) -> assertThat(received).isZero());
    session.checkSilence(1, CONFIG);
    runScheduled();

    assertThat(ends).containsExactly("nothing heard for 12000 ms");
  }

  /** An ApplicationMaster that handles messages later. */
  private static final class Slow implements WorkerRpcServer.Listener {
    final List<Runnable> handled = new ArrayList<>();

    @Override
    public void joined(String worker, String node, String address, Connection connection) {}

    @Override
    public void received(String worker, Message message) {}

    @Override
    public void whenHandled(Runnable then) {
      handled.add(then);
    }

    @Override
    public void lost(String worker, String reason) {}
  }

  private static Batch batch(long first, Message... messages) throws IOException {
    List<Batch.Item> items = new ArrayList<>();
    for (Message message : messages) {
      items.add(new Batch.Item(0, ByteString.copyFrom(MessageCodec.encode(message))));
    }
    return new Batch(first, items);
  }

  private static List<Message> messages(Batch batch) throws IOException {
    List<Message> messages = new ArrayList<>();
    for (Batch.Item item : batch.messages()) {
      messages.add(item.message(0));
    }
    return messages;
  }

  @Test
  void deliveryIsAnsweredWithTheMessagesThatItCaused() throws IOException {
    Slow master = new Slow();
    WorkerChannel channel = new WorkerChannel("w1", 1, 2, master, scheduled::add, ended -> {});
    Message order = new Message.ShowLog("next");
    Message push = new Message.ShowLog("later");
    List<Batch> deliveries = new ArrayList<>();
    channel.poll(0, (received, next) -> replies.add(next));

    channel.tell(
        0,
        batch(0, new Message.Begun("t", 1), new Message.Begun("u", 1)),
        (received, next) -> {
          assertThat(received).isEqualTo(2);
          deliveries.add(next);
        });
    channel.send(order);
    runScheduled();
    assertThat(deliveries).as("the messages are not handled yet").isEmpty();
    master.handled.forEach(Runnable::run);
    runScheduled();

    assertThat(deliveries).hasSize(1);
    assertThat(messages(deliveries.get(0))).containsExactly(order);
    assertThat(replies).as("the poll still waits").isEmpty();

    channel.send(push);
    runScheduled();
    assertThat(messages(replies.get(0)))
        .as("the order, which is not acknowledged, is repeated")
        .containsExactly(order, push);
  }

  @Test
  void deliveryWhoseMessagesWaitForLongIsAnsweredWithoutThem() throws IOException {
    WorkerChannel channel = new WorkerChannel("w1", 1, 2, new Slow(), scheduled::add, ended -> {});
    channel.poll(0, (received, next) -> {});

    channel.tell(0, batch(0, new Message.Begun("t", 1)), (received, next) -> replies.add(next));
    channel.checkSilence(1, CONFIG);

    assertThat(replies).containsExactly(new Batch(0, List.of()));
  }

  @Test
  void callBeforeTheTimeoutKeepsTheWorker() {
    session.checkSilence(12_000, CONFIG);
    session.checkSilence(1, CONFIG);
    assertThat(scheduled).as("one check is scheduled").hasSize(1);

    session.joinedAgain();
    runScheduled();
    assertThat(ends).isEmpty();

    session.checkSilence(12_000, CONFIG);
    runScheduled();
    assertThat(ends).hasSize(1);
  }

  @Test
  void workerWithTooManyUnsentMessagesIsGivenUp() {
    for (int i = 0; i <= WorkerChannel.MAX_QUEUED; i++) {
      session.send(new Message.ShowLog("message"));
    }
    runScheduled();

    assertThat(ends).hasSize(1);
  }
}
