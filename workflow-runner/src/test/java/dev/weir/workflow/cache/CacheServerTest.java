package dev.weir.workflow.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.protocol.CacheLink;
import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.transfer.DataStore;
import dev.weir.workflow.transfer.DataStore.Source;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CacheServerTest {

  private static final int BYTES = 3_000_000;
  private static final int DRIPS = 1_000;
  private volatile CacheSecurity security = plain();

  @TempDir private Path temp;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Message> sent = new CopyOnWriteArrayList<>();
  private final byte[] content = new byte[BYTES];
  private final AtomicLong now = new AtomicLong();
  private CacheDirectory space;
  private NodeCache cache;
  private CacheServer server;
  private String address = "";

  @BeforeEach
  void open() throws IOException {
    new Random(1).nextBytes(content);
    space = CacheDirectory.open(temp.resolve("cache"), CacheLimit.of(10L * BYTES));
    cache = new NodeCache(space, Clock.systemUTC(), 0);
    server =
        new CacheServer(cache, () -> security, CacheServerTest::daemon, sent::add, PortRange.ANY);
    server.start();
    address = "localhost:" + ((Message.Serving) sent.get(0)).port();
    sent.clear();
  }

  private static CacheSecurity plain() {
    return CacheSecurity.plain(Secret.generate(new SecureRandom()));
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  @AfterEach
  void close() throws IOException {
    threads.shutdownNow();
    server.close();
    cache.close();
  }

  /** A source that delivers half of a file at once and the rest on request, or fails then. */
  private final class PausingSource implements Source {

    private final CountDownLatch resume = new CountDownLatch(1);
    private final CountDownLatch half = new CountDownLatch(1);
    private final boolean fails;

    PausingSource(boolean fails) {
      this.fails = fails;
    }

    @Override
    public String path() {
      return "/slow";
    }

    @Override
    public Optional<DataStore.Version> version() {
      return Optional.of(new DataStore.Version(1, BYTES, 1_000));
    }

    @Override
    public DataStore.Fetched fetch(Path target) throws IOException {
      try (OutputStream out = LocalFiles.createReadOnly(target)) {
        out.write(content, 0, BYTES / 2);
        half.countDown();
        if (!resume.await(60, TimeUnit.SECONDS) || fails) {
          throw new IOException("on purpose");
        }
        out.write(content, BYTES / 2, BYTES - BYTES / 2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      CRC32C crc = new CRC32C();
      crc.update(content);
      return DataStore.Fetched.remote(BYTES, 1, Checksum.of(crc), "far");
    }
  }

  /** Returns a source whose file is cached. */
  private PausingSource cachedSource() throws Exception {
    PausingSource source = new PausingSource(false);
    source.resume.countDown();
    bring(source, "a").get(60, TimeUnit.SECONDS);
    return source;
  }

  /** A file of which half is cached, and a reader that has received this half. */
  private final class HalfRead {

    private final PausingSource source;
    private final Future<?> bringing;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Future<Boolean> reading;

    HalfRead(PausingSource source) throws InterruptedException {
      this.source = source;
      bringing = bring(source, "a");
      source.half.await();
      reading = threads.submit(() -> read(wanted(source), out));
      await().until(() -> out.size() == BYTES / 2);
    }
  }

  private CacheLink.Wanted wanted(Source source) {
    return new CacheLink.Wanted(
        CacheKey.of(source.path(), source.version().orElseThrow()).digest(), BYTES);
  }

  private Future<?> bring(Source source, String target) {
    return threads.submit(
        () -> cache.bring(source, source.version().orElseThrow(), temp.resolve(target)));
  }

  private boolean read(CacheLink.Wanted wanted, OutputStream out) throws IOException {
    return new CacheClient(() -> security, now::get).read(address, wanted, out);
  }

  @Test
  void servesCachedContent() throws Exception {
    PausingSource source = cachedSource();
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(read(wanted(source), out)).isTrue();
    assertThat(out.toByteArray()).isEqualTo(content);
    assertThat(sent).isEmpty();
  }

  @Test
  void servesContentWhileItIsFetched() throws Exception {
    HalfRead half = new HalfRead(new PausingSource(false));
    assertThat(half.reading).isNotDone();

    half.source.resume.countDown();

    assertThat(half.reading.get(60, TimeUnit.SECONDS)).isTrue();
    half.bringing.get(60, TimeUnit.SECONDS);
    assertThat(half.out.toByteArray()).isEqualTo(content);
  }

  @Test
  void readerFailsWithTheFetch() throws Exception {
    HalfRead half = new HalfRead(new PausingSource(true));

    half.source.resume.countDown();

    assertThat(half.reading.get(60, TimeUnit.SECONDS)).isFalse();
    assertThat(half.out.toByteArray()).isEqualTo(Arrays.copyOf(content, BYTES / 2));
    assertThatThrownBy(() -> half.bringing.get(60, TimeUnit.SECONDS))
        .hasMessageContaining("purpose");
  }

  @Test
  void missingContentIsReported() throws Exception {
    CacheLink.Wanted wanted = wanted(new PausingSource(false));

    assertThat(read(wanted, new ByteArrayOutputStream())).isFalse();

    await().until(() -> sent.contains(new Message.NotKept(wanted.content())));
    assertThat(read(new CacheLink.Wanted("../locks", 10), new ByteArrayOutputStream())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void contentsBeforeAMissingOneComeOverOneConnection(boolean encrypted) throws Exception {
    CacheLink.Wanted kept = wanted(cachedSource());
    CacheLink.Wanted missing = new CacheLink.Wanted("missing", 10);
    if (encrypted) {
      security = CacheSecurity.encrypted(security.secret());
    }
    CacheClient client = new CacheClient(() -> security, now::get);

    assertThat(client.readAll(address, List.of(kept, kept, missing, kept)))
        .containsExactly(content, content);

    assertThat(client.readAll(address, List.of(kept, kept, kept))).hasSize(3);
    assertThat(sent).containsExactly(new Message.NotKept("missing"));
  }

  @Test
  void readerWithoutTheSecretGetsNothing() throws Exception {
    PausingSource source = cachedSource();
    CacheClient stranger = new CacheClient(CacheServerTest::plain, System::nanoTime);
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(stranger.read(address, wanted(source), out)).isFalse();
    // The first client does not ask a node again that has given nothing.
    CacheClient other = new CacheClient(CacheServerTest::plain, System::nanoTime);
    assertThat(other.readAll(address, List.of(wanted(source), wanted(source)))).isEmpty();

    assertThat(out.size()).isZero();
    assertThat(sent).isEmpty();
  }

  @Test
  void servesOverTlsToHoldersOfTheSessionsCertificate() throws Exception {
    PausingSource source = cachedSource();
    security = CacheSecurity.encrypted(security.secret());
    ByteArrayOutputStream copy = new ByteArrayOutputStream();
    security.write(new DataOutputStream(copy));
    CacheSecurity received =
        CacheSecurity.read(
            new DataInputStream(new ByteArrayInputStream(copy.toByteArray())), security.secret());
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(new CacheClient(() -> received, now::get).read(address, wanted(source), out))
        .isTrue();

    assertThat(out.toByteArray()).isEqualTo(content);
    assertThat(received.isEncrypted()).isTrue();
    Secret other = Secret.generate(new SecureRandom());
    assertThatThrownBy(
            () ->
                CacheSecurity.read(
                    new DataInputStream(new ByteArrayInputStream(copy.toByteArray())), other))
        .as("the key store needs the secret")
        .isInstanceOf(IOException.class);
  }

  @Test
  void otherCertificatesAreRefused() throws Exception {
    Secret secret = security.secret();
    security = CacheSecurity.encrypted(secret);

    assertRefused(CacheSecurity.encrypted(secret));
  }

  /** Both sides wait for the other's first byte until the server ends the connection. */
  @Test
  @Tag("nightly")
  void readerWithoutTlsIsRefused() throws Exception {
    Secret secret = security.secret();
    security = CacheSecurity.encrypted(secret);

    assertRefused(CacheSecurity.plain(secret));
  }

  private void assertRefused(CacheSecurity reader) throws Exception {
    PausingSource source = cachedSource();
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(new CacheClient(() -> reader, now::get).read(address, wanted(source), out))
        .isFalse();

    assertThat(out.size()).isZero();
  }

  @Test
  void interruptedTlsReaderStops() throws Exception {
    security = CacheSecurity.encrypted(security.secret());
    HalfRead half = new HalfRead(new PausingSource(false));

    threads.shutdownNow();

    assertThatThrownBy(() -> half.reading.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void contentAlteredOnDiskIsRejected() throws Exception {
    PausingSource source = cachedSource();
    Path cachedSource = temp.resolve("cache/contents").resolve(wanted(source).content());
    assertThat(cachedSource.toFile().setWritable(true)).isTrue();
    byte[] other = content.clone();
    other[BYTES - 1]++;
    Files.write(cachedSource, other);

    assertThat(read(wanted(source), new ByteArrayOutputStream())).isFalse();

    await().until(() -> !sent.isEmpty());
    assertThat(read(wanted(source), new ByteArrayOutputStream())).as("served only once").isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void contentWithAWrongLengthIsNotServed(int more) throws Exception {
    PausingSource source = cachedSource();
    Path cachedSource = temp.resolve("cache/contents").resolve(wanted(source).content());
    assertThat(cachedSource.toFile().setWritable(true)).isTrue();
    Files.write(cachedSource, Arrays.copyOf(content, BYTES + more));
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(read(wanted(source), out)).isFalse();

    assertThat(out.size()).isZero();
    await().until(() -> sent.contains(new Message.NotKept(wanted(source).content())));
  }

  @Test
  void contentEvictedDuringAReadIsServedToItsEnd() throws Exception {
    PausingSource source = cachedSource();
    Files.delete(temp.resolve("a"));
    byte[] piece = new byte[BYTES / 4];
    ByteArrayOutputStream given = new ByteArrayOutputStream();

    try (NodeCache.Share share = cache.share(wanted(source).content(), BYTES).orElseThrow()) {
      given.write(piece, 0, share.read(piece, 1));
      assertThat(given.size()).isPositive();
      space.drop(CacheKey.of(source.path(), source.version().orElseThrow()));
      assertThat(temp.resolve("cache/contents")).isEmptyDirectory();
      assertThat(temp.resolve("cache/notes")).isEmptyDirectory();
      int read = share.read(piece, 1);
      while (read > 0) {
        given.write(piece, 0, read);
        read = share.read(piece, 1);
      }
      assertThat(given.toByteArray()).isEqualTo(content);
      assertThat(share.isSound()).isTrue();
    }
  }

  @Test
  void readerFailsWhenTheFetchRestarts() throws Exception {
    PausingSource source = new PausingSource(false);
    Source restartingSource =
        new Source() {
          @Override
          public String path() {
            return source.path();
          }

          @Override
          public Optional<DataStore.Version> version() {
            return source.version();
          }

          @Override
          public DataStore.Fetched fetch(Path target) throws IOException {
            throw new IOException("fetched past the cache");
          }

          @Override
          public DataStore.Fetched fetchToShare(Path target, Runnable again) throws IOException {
            Files.write(target, new byte[BYTES / 2]);
            try {
              source.half.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            Files.delete(target);
            again.run();
            return source.fetch(target);
          }
        };
    Future<?> bringing = bring(restartingSource, "a");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Future<Boolean> reading =
        threads.submit(
            () -> {
              await().until(() -> cache.share(wanted(source).content(), BYTES).isPresent());
              return read(wanted(source), out);
            });
    await().until(() -> out.size() == BYTES / 2);

    source.half.countDown();

    assertThat(reading.get(60, TimeUnit.SECONDS)).isFalse();
    assertThat(bringing).as("the fetch goes on").isNotDone();
    source.resume.countDown();
    bringing.get(60, TimeUnit.SECONDS);
    assertThat(read(wanted(source), new ByteArrayOutputStream())).isTrue();
  }

  @Test
  void interruptedReaderStops() throws Exception {
    PausingSource source = new PausingSource(false);
    Future<?> unused = bring(source, "a");
    source.half.await();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CountDownLatch stopped = new CountDownLatch(1);
    Thread reader =
        daemon(
            () -> {
              try {
                read(wanted(source), out);
              } catch (InterruptedIOException | ClosedByInterruptException e) {
                stopped.countDown();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    reader.start();
    await().until(() -> out.size() == BYTES / 2);

    reader.interrupt();

    assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void readerGivesUpWhenNoBytesArriveForTooLong() throws Exception {
    HalfRead half = new HalfRead(new PausingSource(false));
    assertThat(half.reading).isNotDone();

    // Each check advances the clock by more than the limit.
    await()
        .until(
            () -> {
              now.addAndGet(TimeUnit.SECONDS.toNanos(31));
              return half.reading.isDone();
            });

    assertThat(half.reading.get()).isFalse();
    assertThat(half.bringing).as("the fetch goes on").isNotDone();
  }

  @Test
  void silentConnectionBlocksNoOther() throws Exception {
    PausingSource source = cachedSource();
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));

    try (Socket silent = new Socket("localhost", port)) {
      assertThat(silent.isConnected()).isTrue();
      assertThat(read(wanted(source), new ByteArrayOutputStream())).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void slowConnectionsBlockNoReader(boolean encrypted) throws Exception {
    PausingSource source = cachedSource();
    if (encrypted) {
      security = CacheSecurity.encrypted(security.secret());
    }
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    List<Socket> drips = new ArrayList<>();
    try {
      for (int i = 0; i < DRIPS; i++) {
        Socket drip = new Socket("localhost", port);
        drips.add(drip);
        sendByte(drip);
      }
      assertThat(read(wanted(source), new ByteArrayOutputStream())).isTrue();
      drips.forEach(CacheServerTest::sendByte);
      assertThat(read(wanted(source), new ByteArrayOutputStream())).isTrue();
      assertThat(drips).as("the oldest are evicted").anyMatch(CacheServerTest::isEvicted);
    } finally {
      for (Socket drip : drips) {
        drip.close();
      }
    }
  }

  private static void sendByte(Socket drip) {
    try {
      drip.getOutputStream().write(0);
    } catch (IOException e) {
      assertThat(isEvicted(drip)).as("closed only by an eviction: " + e).isTrue();
    }
  }

  private static boolean isEvicted(Socket drip) {
    try {
      drip.setSoTimeout(1);
      drip.getInputStream().readAllBytes();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void unreachableAddressGivesNothing() throws Exception {
    server.close();

    assertThat(
            new CacheClient(() -> security, now::get)
                .read("localhost:1", wanted(new PausingSource(false)), new ByteArrayOutputStream()))
        .isFalse();
  }
}
