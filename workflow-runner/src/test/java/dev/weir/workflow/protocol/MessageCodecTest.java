package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.record.ReadFile;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.record.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MessageCodecTest {

  static Stream<Message> messages() {
    FileSlot slot =
        new FileSlot("dir/a b'\"\u00e9\u6f22.fits", "/data/dir/a b'\"\u00e9\u6f22.fits", 12);
    NodeContent content = new NodeContent(12, 0xe3069283L, 1_795_000_000_000L, List.of("n1"));
    return Stream.of(
        new Message.Shutdown(),
        new Message.Run(
            new TaskOrder(
                "task",
                2,
                "1-2",
                List.of("sh", "-c", "echo \"$HOME\"\n"),
                List.of(slot, slot.asCopy(), slot.with(content)),
                List.of(slot.hinted("{}")),
                Map.of("KEY", "value=;"),
                true,
                1500,
                new ResourceNeeds(3, 1L << 33))),
        new Message.InHand(List.of(new HeldAttempt("task", 2, 3_000, true, false))),
        new Message.Noted(7),
        new Message.NewTokens("dG9rZW5z"),
        new Message.Recall("task", 2),
        new Message.Stop("task", 2),
        new Message.Begun("task", 2),
        new Message.MayCommit("task", 2),
        new Message.Permit("task", 2, true),
        new Message.ShowLog("task"),
        new Message.TransferWish(1, "content", List.of("a", "b"), true),
        new Message.TransferWish(2, "content", List.of(), false),
        new Message.TransferWish(3, "", List.of("a"), true, true),
        new Message.TransferTurn(1, "a", "a:1"),
        new Message.TransferOver(1, true, 7),
        new Message.Serving(1),
        new Message.NotKept("content"),
        new Message.CacheNews(Map.of("/a", 7L), List.of("/b")),
        new Message.DiskShortage("n1", 7, 9),
        new Message.StoreDrop("/a", content),
        new Message.WriteBack("g:a", "/a", "/a.weir-x-1-0", content, true),
        new Message.MayWriteBack("g:a", 7),
        new Message.PermitWriteBack("g:a", 7, true),
        new Message.WrittenBack("g:a", 7, List.of(), "no quota", true, true),
        new Message.WrittenBack(
            "g:a",
            7,
            List.of(new StoredFile("g:a", 9, Map.of("n", 9L), 5, List.of(), 3)),
            "",
            false,
            false),
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
                new ResourceUse(8, 9))));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void messagesRoundTrip(Message message) throws IOException {
    assertThat(MessageCodec.decode(MessageCodec.encode(message))).isEqualTo(message);
  }

  @Test
  void orderWithAHundredThousandFilesRoundTrips() throws IOException {
    List<FileSlot> inputs = new ArrayList<>();
    for (int i = 0; i < 150_000; i++) {
      String name = "some/directory/with/a/long/name/input-" + i + ".fits";
      inputs.add(new FileSlot(name, "/user/somebody/weir/a-workflow/" + name, i));
    }
    TaskOrder order =
        new TaskOrder(
            "t",
            1,
            "1",
            List.of("cat"),
            inputs,
            List.of(),
            Map.of(),
            false,
            0,
            ResourceNeeds.ONE_CORE);
    byte[] bytes = MessageCodec.encode(new Message.Run(order));

    assertThat(bytes.length)
        .as("names that are much the same")
        .isLessThanOrEqualTo(MessageCodec.MAX_BYTES);
    assertThat(MessageCodec.decode(bytes)).isEqualTo(new Message.Run(order));
  }

  @Test
  void deflatedMessageWithAnExcessiveLengthIsRefused() {
    assertThatThrownBy(() -> MessageCodec.decode(new byte[] {0, 127, 0, 0, 0, 1}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("claims 2130706432 bytes");
  }

  @Test
  void truncatedMessageIsRefused() {
    for (byte[] cut : new byte[][] {{}, {0}, {0, 0, 0, 0, 9, 1}, {'{'}}) {
      assertThatThrownBy(() -> MessageCodec.decode(cut)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void tooLongMessageIsNotEncoded() {
    assertThatThrownBy(() -> MessageCodec.encode(new Message.ShowLog("x".repeat(64 << 20))))
        .isInstanceOf(MessageCodec.TooLongException.class)
        .hasMessageContaining("exceeds the limit of 67108864");
    byte[] noise = new byte[4 << 20];
    new Random(1).nextBytes(noise);
    assertThatThrownBy(
            () ->
                MessageCodec.encode(new Message.ShowLog(Base64.getEncoder().encodeToString(noise))))
        .isInstanceOf(MessageCodec.TooLongException.class)
        .hasMessageContaining("exceeds the limit of " + MessageCodec.MAX_BYTES);
  }
}
