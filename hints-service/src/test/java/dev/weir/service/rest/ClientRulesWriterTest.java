package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.HintPresets;
import dev.weir.hints.HintSet;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.access.CallerFileSystems;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ClientRulesWriterTest {
  private final Map<String, byte[]> attributes = new ConcurrentHashMap<>();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicBoolean mayWrite = new AtomicBoolean(true);
  private final InMemoryHintStore store = new InMemoryHintStore(Clock.systemUTC());
  private final ClientRulesWriter writer = new ClientRulesWriter(store, new Root());

  @Test
  void writesWhatClientsDecode() throws IOException {
    store.put(set("/a/**"));
    assertThat(write()).isTrue();
    HintIndex decoded =
        ClientRules.decode(
            Objects.requireNonNull(attributes.get(ClientRules.ATTRIBUTE)), "nn", Instant.EPOCH);
    assertThat(decoded.lookup("/a/x")).isPresent();
    assertThat(write()).as("nothing has changed").isFalse();
    assertThat(writes).hasValue(1);
  }

  @Test
  void removesTheAttributeWithTheLastRule() throws IOException {
    assertThat(write()).as("no rules").isFalse();
    store.put(set("/a/**"));
    write();
    store.remove("s");
    assertThat(write()).isTrue();
    assertThat(attributes).isEmpty();
  }

  @Test
  void waitsUntilRulesAreShown() throws Exception {
    HintSet set = set("/a/**");
    store.put(set);
    Thread waiting = new Thread(() -> writer.awaitShown(set));
    waiting.start();
    Awaitility.await().until(() -> reads.get() > 1);
    write();
    waiting.join();
    assertThat(reads.get()).isLessThan(30);

    HintSet ofRun = new HintSet("application_1_0001", "alice", null, set.rules());
    store.remove("s");
    store.put(ofRun);
    int before = reads.get();
    writer.awaitShown(ofRun);
    assertThat(reads).as("its workers know the rules").hasValue(before);
  }

  @Test
  void aServiceThatMayNotWriteSaysSo() throws Exception {
    store.put(set("/a/**"));
    mayWrite.set(false);
    AtomicBoolean leading = new AtomicBoolean(true);
    Thread thread =
        new Thread(
            () -> {
              try {
                writer.lead(leading::get);
              } catch (IOException | InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    Awaitility.await().until(() -> !writer.status().isEmpty());
    leading.set(false);
    thread.interrupt();
    thread.join();
    assertThat(writer.status().get("client-rules-problem")).asString().contains("may not write /");
  }

  private boolean write() throws IOException {
    return writer.write(ClientRules.of(store.snapshot()).value());
  }

  private static HintSet set(String pattern) {
    Rule rule = new Rule(PathPattern.parse(pattern), HintPresets.broadcast(4));
    return new HintSet("s", "alice", null, List.of(rule));
  }

  /** A root directory with attributes. */
  private final class Root extends RawLocalFileSystem implements CallerFileSystems {
    @Override
    public <T> T call(String user, String authority, FunctionRaisingIOE<FileSystem, T> operation)
        throws IOException {
      return operation.apply(this);
    }

    @Override
    public String self() {
      return "weir";
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) {
      reads.incrementAndGet();
      return attributes;
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag)
        throws IOException {
      if (!mayWrite.get()) {
        throw new AccessControlException("weir may not write /");
      }
      writes.incrementAndGet();
      attributes.put(name, value);
    }

    @Override
    public void removeXAttr(Path path, String name) {
      attributes.remove(name);
    }

    @Override
    public void close() {}
  }
}
