package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.NodeContent;
import dev.weir.workflow.transfer.DataStore.Kept;
import dev.weir.workflow.transfer.DirectoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of files from the store of this node to HDFS. */
class WriteBackCopierTest extends NodeCacheTestBase {

  private static final String LARGE = "x".repeat(100);
  private static final String PATH = "/data/f";
  private static final String TEMPORARY = "/data/f.weir-x-1-0";

  private final List<Message> sent = new ArrayList<>();
  private final List<Message> asked = new ArrayList<>();
  private Runnable whenAsked = () -> answer(true);
  private WriteBackCopier copier;
  private NodeContent content;

  /** How often the worker is busy. */
  private int busy;

  private int waits;

  /** The executor of each copy. */
  private final List<String> copies = new ArrayList<>();

  @BeforeEach
  void keep() throws IOException {
    Files.createDirectories(temp.resolve("store/data"));
    copier =
        new WriteBackCopier(
            cache.store(),
            store,
            new WriteBackCopier.Threads(
                copy -> run(copy, "large"), copy -> run(copy, "small"), LARGE.length()),
            this::receive,
            new WriteBackCopier.Load(() -> busy-- > 0, millis -> waits++));
    keep(TEN);
  }

  private void keep(String text) throws IOException {
    Path output = Files.writeString(temp.resolve("f"), text);
    Kept kept = cache.store().prepare(output, PATH).orElseThrow();
    kept.commit();
    content =
        new NodeContent(text.length(), kept.crc32c(), kept.millis(), List.of(DirectoryStore.NODE));
  }

  private void run(Runnable copy, String executor) {
    copies.add(executor);
    copy.run();
  }

  private void receive(Message message) {
    if (message instanceof Message.MayWriteBack question) {
      asked.add(question);
      whenAsked.run();
    } else {
      sent.add(message);
    }
  }

  private void answer(boolean granted) {
    copier.answered(new Message.PermitWriteBack("id", content.millis(), granted));
  }

  private Message.WrittenBack copy() {
    return copy(false);
  }

  private Message.WrittenBack copy(boolean urgent) {
    order(TEMPORARY, urgent);
    assertThat(sent).hasSize(1);
    return (Message.WrittenBack) sent.get(0);
  }

  private void order(String temporary, boolean urgent) {
    copier.copy(new Message.WriteBack("id", PATH, temporary, content, urgent));
  }

  private void assertNotWritten(Message.WrittenBack end) {
    assertThat(end.copies()).isEmpty();
    assertThat(end.nodeMillis()).isEqualTo(content.millis());
    assertThat(temp.resolve("store/data")).isEmptyDirectory();
  }

  @Test
  void aFileGetsItsNameWhenItIsWhole() throws IOException {
    Message.WrittenBack end = copy();

    assertThat(end.problem()).isEmpty();
    assertThat(end.copies())
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.name()).isEqualTo("id");
              assertThat(file.sizeBytes()).isEqualTo(TEN.length());
              assertThat(file.bytesByHost()).containsEntry(DirectoryStore.NODE, 10L);
              assertThat(file.crc32c()).isEqualTo(content.crc32c());
              assertThat(file.onNode()).isFalse();
            });
    assertThat(store.read(PATH)).isEqualTo(TEN);
    assertThat(temp.resolve("store/data")).isDirectoryNotContaining("glob:**weir-x*");
  }

  @Test
  void aLargeFileWaitsForTransfersOfTasks() throws IOException {
    keep(LARGE);
    busy = 3;
    assertThat(copy().problem()).isEmpty();
    assertThat(waits).isEqualTo(3);
    assertThat(copies).containsExactly("large");
  }

  @Test
  void aLargeFileDoesNotWaitLong() throws IOException {
    keep(LARGE);
    busy = Integer.MAX_VALUE;
    assertThat(copy().problem()).isEmpty();
    assertThat(waits).isEqualTo(40);
  }

  @Test
  void anUrgentCopyDoesNotWait() throws IOException {
    keep(LARGE);
    busy = Integer.MAX_VALUE;
    assertThat(copy(true).problem()).isEmpty();
    assertThat(waits).isZero();
  }

  @Test
  void aSmallFileIsCopiedBesideOthers() {
    busy = Integer.MAX_VALUE;
    assertThat(copy().problem()).isEmpty();
    assertThat(waits).isZero();
    assertThat(copies).containsExactly("small");
  }

  @Test
  void anAlteredFileIsNotCopied() throws IOException {
    cache.spoiled(CacheKey.of(PATH, content));

    Message.WrittenBack end = copy();

    assertNotWritten(end);
    assertThat(end.problem()).contains("altered");
    assertThat(end.gone()).isTrue();
  }

  @Test
  void aFailureIsReported() {
    store.beforePut(
        source -> {
          throw new IOException("the quota is used up");
        });

    Message.WrittenBack end = copy();

    assertNotWritten(end);
    assertThat(end.problem()).contains("the quota is used up");
    assertThat(end.refused()).isFalse();
    assertThat(end.gone()).isFalse();
  }

  @Test
  void permanentRefusalsAreReportedWithTheirRemedy() {
    store.beforePut(
        source -> {
          throw new AccessControlException("Permission denied: user=ann");
        });

    Message.WrittenBack end = copy();

    assertThat(end.refused()).isTrue();
    assertThat(end.problem()).contains("Permission denied: user=ann", "have its owner permit");
  }

  @Test
  void aCopyThatIsNotPermittedReplacesNothing() throws IOException {
    whenAsked =
        () -> {
          assertThat(temp.resolve("store" + TEMPORARY)).exists();
          answer(false);
        };

    Message.WrittenBack end = copy();

    assertNotWritten(end);
    assertThat(end.problem()).contains("does not need this copy");
    assertThat(end.gone()).isFalse();
  }

  @Test
  void theNextApplicationMasterIsAskedAgain() {
    whenAsked =
        () -> {
          whenAsked = () -> answer(true);
          copier.masterReplaced();
        };

    assertThat(copy().problem()).isEmpty();
    assertThat(asked).hasSize(2);
  }

  @Test
  void theNextApplicationMasterGetsTheEndOfTheCopyInProgress() {
    whenAsked =
        () -> {
          whenAsked = () -> answer(true);
          copier.masterReplaced();
          order("/data/f.weir-x-2-0", false);
        };

    assertThat(copy().problem()).isEmpty();
    assertThat(asked).containsOnly(new Message.MayWriteBack("id", content.millis())).hasSize(2);
  }

  @Test
  void aFileIsCopiedAgainAfterAFailure() {
    whenAsked = () -> answer(false);
    copy();
    sent.clear();
    whenAsked = () -> answer(true);

    assertThat(copy().problem()).isEmpty();
  }

  @Test
  void theAnswerForAnotherVersionIsIgnored() {
    whenAsked =
        () -> {
          copier.answered(new Message.PermitWriteBack("id", content.millis() + 1, false));
          answer(true);
        };

    assertThat(copy().problem()).isEmpty();
  }

  @Test
  void theNextApplicationMasterLearnsOfCopies() {
    Message.WrittenBack end = copy();

    copier.masterReplaced();

    assertThat(sent).containsExactly(end, end);
  }
}
