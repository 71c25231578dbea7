package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FramesTest {

  static Stream<Message> messages() {
    FileSlot slot =
        new FileSlot("dir/a b'\"\u00e9\u6f22.fits", "/data/dir/a b'\"\u00e9\u6f22.fits", 12);
    return Stream.of(
        new Message.Challenge(1, "nonce"),
        new Message.Hello(1, "worker", "node", "nonce", "proof"),
        new Message.Welcome("proof"),
        new Message.Refused("reason"),
        new Message.Heartbeat(),
        new Message.Shutdown(),
        new Message.Run(
            new TaskOrder(
                "task",
                2,
                "1-2",
                List.of("sh", "-c", "echo \"$HOME\"\n"),
                List.of(slot, slot.asCopy()),
                List.of(slot.inLane("lane")),
                Map.of("KEY", "value=;"),
                true,
                1500,
                new Needs(3, 1L << 33))),
        new Message.InHand(List.of(new HeldAttempt("task", 2, 3_000, true, false))),
        new Message.Noted(7),
        new Message.Recall("task", 2),
        new Message.Stop("task", 2),
        new Message.Begun("task", 2),
        new Message.MayCommit("task", 2),
        new Message.Permit("task", 2, true),
        new Message.ShowLog("task"),
        new Message.TransferWish(1, "content", List.of("a", "b")),
        new Message.TransferTurn(1, "a", "a:1"),
        new Message.TransferOver(1, true, 7),
        new Message.Serving(1),
        new Message.NotKept("content"),
        new Message.Fetch(1, "content", 7, "nonce", "proof"),
        new Message.CacheNews(Map.of("/a", 7L), List.of("/b")),
        new Message.CopyAhead(1, "/a", "a"),
        new Message.CopyPace(1, true),
        new Message.CopyDrop("/a"),
        new Message.CopyEnded(1, 7, true),
        new Message.Ended(
            new TaskReport(
                "task",
                2,
                Result.SUCCEEDED,
                0,
                "",
                "stderr",
                List.of("lost"),
                List.of(new StoredFile("f", 7, Map.of("n1", 7L), 0xe3069283L)),
                new Usage(1, 2, 3, 4, 5, 6, 7, 8),
                List.of(new ReadFile("in", 1L << 40, Checksum.UNKNOWN)),
                new Effort(8, 9))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void aMessageComesOutAsItWentIn(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frames.write(new DataOutputStream(bytes), message);
    assertThat(read(bytes.toByteArray())).isEqualTo(message);
  }

  private static Message read(byte[] bytes) throws IOException {
    return Frames.read(new DataInputStream(new ByteArrayInputStream(bytes)), Frames.MAX_BYTES);
  }

  @Test
  void anOrderWithAHundredThousandFilesComesOutAsItWentIn() throws IOException {
    List<FileSlot> inputs = new ArrayList<>();
    for (int i = 0; i < 150_000; i++) {
      String name = "some/directory/with/a/long/name/input-" + i + ".fits";
      inputs.add(new FileSlot(name, "/user/somebody/weir/a-workflow/" + name, i));
    }
    TaskOrder order =
        new TaskOrder(
            "t", 1, "1", List.of("cat"), inputs, List.of(), Map.of(), false, 0, Needs.ONE_CORE);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frames.write(new DataOutputStream(bytes), new Message.Run(order));

    assertThat(bytes.size()).as("names that are much the same").isLessThan(4 << 20);
    assertThat(read(bytes.toByteArray())).isEqualTo(new Message.Run(order));
  }

  @Test
  void aDeflatedMessageThatClaimsMoreThanThereMayBeIsRefused() {
    assertThatThrownBy(() -> read(new byte[] {-1, -1, -1, 0, 127, 0, 0, 0, 1}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("speaks something else");
  }

  @Test
  void aDeflatedMessageOfAStrangerIsNotRead() {
    byte[] frame = {-1, -1, -1, 0, 0, 0, 0, 9, 1};
    assertThatThrownBy(
            () ->
                Frames.read(
                    new DataInputStream(new ByteArrayInputStream(frame)),
                    Frames.MAX_HANDSHAKE_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("speaks something else");
  }

  @Test
  void theEndOfTheStreamIsOne() {
    assertThatThrownBy(() -> read(new byte[0])).isInstanceOf(EOFException.class);
  }

  @Test
  void aMessageThatIsCutShortIsRefused() {
    assertThatThrownBy(() -> read(new byte[] {0, 0, 0, 9, '{'}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ended within a message");
  }

  @Test
  void aStrangerMaySayLittle() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Frames.write(
        new DataOutputStream(bytes), new Message.Refused("x".repeat(Frames.MAX_HANDSHAKE_BYTES)));

    assertThatThrownBy(
            () ->
                Frames.read(
                    new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())),
                    Frames.MAX_HANDSHAKE_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("speaks something else");
  }

  @Test
  void aMessageThatNobodyWouldReadIsNotWritten() {
    assertThatThrownBy(
            () ->
                Frames.write(
                    new DataOutputStream(new ByteArrayOutputStream()),
                    new Message.Refused("x".repeat(Frames.MAX_BYTES))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("over the limit of 67108864");
  }

  @Test
  void somethingElseThanAFrameIsNotReadIntoMemory() {
    byte[] http = "GET / HTTP/1.1\r\n".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(http))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("speaks something else");
  }
}
