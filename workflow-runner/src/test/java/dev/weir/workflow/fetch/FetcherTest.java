package dev.weir.workflow.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetcherTest {

  private static final byte[] CONTENT = new byte[300_000];

  private static final byte[] OTHER = new byte[250_000];

  static {
    new Random(1).nextBytes(CONTENT);
    new Random(2).nextBytes(OTHER);
  }

  @TempDir private Path temp;
  private FileServer server;
  private final List<Long> pauses = new ArrayList<>();
  private final Fetcher fetcher = fetcher(TaskSecrets.NONE, Duration.ofSeconds(30));

  FetcherTest() throws IOException {
    server = new FileServer(CONTENT);
  }

  private Fetcher fetcher(TaskSecrets secrets, Duration silence) {
    return new Fetcher(secrets, silence, pauses::add);
  }

  @BeforeEach
  void start() {
    pauses.clear();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Path target() {
    return temp.resolve("ref.fa");
  }

  private boolean fetch(Fetcher by, FetchCommand source) throws IOException, InterruptedException {
    return by.fetch(source, "ref.fa", target(), () -> false);
  }

  private void assertFetched(FetchCommand source) throws IOException, InterruptedException {
    assertThat(fetch(fetcher, source)).isTrue();
    assertThat(target()).hasBinaryContent(server.content);
  }

  private FetchException failure(Fetcher by, FetchCommand source) {
    FetchException[] thrown = new FetchException[1];
    assertThatExceptionOfType(FetchException.class)
        .isThrownBy(() -> fetch(by, source))
        .satisfies(e -> thrown[0] = e);
    return thrown[0];
  }

  private static String sha256(byte[] bytes) throws Exception {
    return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  @Test
  void fetchesAFileWithADeclaredChecksum() throws Exception {
    assertFetched(new FetchCommand(server.url("/file"), sha256(CONTENT)));
    assertThat(server.requests()).containsExactly("GET /file - - -");
  }

  @Test
  void continuesWhereTheConnectionBroke() throws Exception {
    server.breakAfter = 100_000;
    server.breaks.set(2);
    assertFetched(new FetchCommand(server.url("/file"), sha256(CONTENT)));
    assertThat(server.requests()).hasSize(3);
    assertThat(server.requests().subList(1, 3))
        .allMatch(request -> request.matches("GET /file bytes=[1-9][0-9]*- \"1\" -"));
    assertThat(pauses).containsExactly(1L, 1L);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void beginsAgainWhenTheContentHasChanged(boolean careless) throws Exception {
    server.careless = careless;
    server.breakAfter = 100_000;
    server.breaks.set(1);
    Fetcher changing =
        new Fetcher(
            TaskSecrets.NONE,
            Duration.ofSeconds(30),
            seconds -> {
              server.content = OTHER;
              server.version = "\"2\"";
            });
    assertThat(fetch(changing, new FetchCommand(server.url("/file"), ""))).isTrue();
    assertThat(target()).hasBinaryContent(OTHER);
  }

  @Test
  void whatANewStartBringsAgainIsNoProgress() {
    server.version = "W/";
    server.breakAfter = 100_000;
    server.breaks.set(1000);
    Fetcher alternating =
        new Fetcher(
            TaskSecrets.NONE,
            Duration.ofSeconds(30),
            seconds -> {
              pauses.add(seconds);
              server.breakAfter = server.breakAfter == 100_000 ? 50_000 : 100_000;
              if (pauses.size() > 20) {
                throw new InterruptedException("endless");
              }
            });
    FetchException failure = failure(alternating, new FetchCommand(server.url("/file"), ""));
    assertThat(failure.result()).isEqualTo(Result.INFRASTRUCTURE);
  }

  @Test
  void aFullDiskIsNoFaultOfTheServer() {
    assertThatIOException()
        .isThrownBy(
            () ->
                fetcher.fetch(
                    new FetchCommand(server.url("/file"), ""),
                    "ref.fa",
                    Path.of("/dev/full"),
                    () -> false))
        .isNotInstanceOf(FetchException.class)
        .withMessageContaining("No space left on device");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aTimeLimitEndsItWhileNothingComes() throws Exception {
    server.status = 503;
    FetchCommand source = new FetchCommand(server.url("/file"), "");
    assertThat(fetcher.fetch(source, "ref.fa", target(), () -> true)).isFalse();
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void doesNotContinueByAWeakVersion() throws Exception {
    server.version = "W/\"1\"";
    server.breakAfter = 100_000;
    server.breaks.set(1);
    assertFetched(new FetchCommand(server.url("/file"), ""));
    assertThat(server.requests()).containsExactly("GET /file - - -", "GET /file - - -");
  }

  @Test
  void givesUpAfterFiveTriesWithoutAByte() {
    server.status = 503;
    FetchException failure = failure(fetcher, new FetchCommand(server.url("/file"), ""));
    assertThat(failure.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(failure)
        .hasMessage(
            "cannot fetch 'ref.fa' from "
                + server.url("/file")
                + ": HTTP 503: check that the nodes reach the server");
    assertThat(server.requests()).hasSize(5);
    assertThat(pauses).containsExactly(1L, 2L, 4L, 8L);
  }

  @Test
  void givesUpOnASilentServer() {
    server.breakAfter = 10;
    server.breaks.set(100);
    server.silent = true;
    server.version = "W/";
    FetchException failure =
        failure(
            fetcher(TaskSecrets.NONE, Duration.ofMillis(100)),
            new FetchCommand(server.url("/file"), ""));
    assertThat(failure.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(failure).hasMessageContaining("no byte came in");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 410})
  void isRefusedAtOnceWhatCannotSucceed(int status) {
    server.status = status;
    FetchException failure = failure(fetcher, new FetchCommand(server.url("/file"), ""));
    assertThat(failure.result()).isEqualTo(Result.REFUSED);
    assertThat(failure)
        .hasMessageStartingWith("cannot fetch 'ref.fa' from " + server.url("/file"))
        .hasMessageContaining("HTTP " + status);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void refusesAWrongChecksum() {
    FetchException failure =
        failure(fetcher, new FetchCommand(server.url("/file"), "md5:" + "0".repeat(32)));
    assertThat(failure.result()).isEqualTo(Result.FAILED);
    assertThat(failure).hasMessageContaining("its 300000 bytes have the checksum md5:");
  }

  @Test
  void theSecretPartsOfAUrlGoToItsHostOnlyAndToNoMessage() throws Exception {
    try (FileServer other = new FileServer(CONTENT)) {
      server.redirect = other.url("/file").replace("localhost", "127.0.0.1");
      String url = server.url("/start?sig=hidden").replace("//", "//ann:p%40ss@");
      Fetcher knowing = fetcher(new TaskSecrets(Map.of("S", url)), Duration.ofSeconds(30));
      FetchCommand source = new FetchCommand(server.url("/start?..."), "", "", "S");
      assertThat(fetch(knowing, source)).isTrue();
      assertThat(server.requests()).containsExactly("GET /start?sig=hidden - - Basic YW5uOnBAc3M=");
      assertThat(other.requests()).containsExactly("GET /file - - -");
      other.status = 404;
      assertThat(failure(knowing, source).getMessage())
          .contains(server.url("/start?..."))
          .doesNotContain("hidden", "p%40ss", "p@ss");
      assertThat(failure(fetcher, source)).hasMessageContaining("stored nowhere");
    }
  }

  @Test
  void aTimeLimitEndsIt() throws Exception {
    FetchCommand source = new FetchCommand(server.url("/file"), "");
    assertThat(fetcher.fetch(source, "ref.fa", target(), () -> true)).isFalse();
  }

  @Test
  void anInterruptEndsIt() throws Exception {
    server.breakAfter = 10;
    server.breaks.set(1);
    server.silent = true;
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                fetch(fetcher, new FetchCommand(server.url("/file"), ""));
              } catch (IOException | InterruptedException e) {
                end.complete(e);
              }
            });
    thread.start();
    await().until(() -> !server.requests().isEmpty());
    thread.interrupt();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void readsFileSystemsOfHadoop() throws Exception {
    Path local = Files.write(temp.resolve("source"), CONTENT);
    RemoteFile file = new StreamRemoteFile.OfHadoop(local.toUri(), new Configuration(false));
    assertThat(file.status().bytes()).isEqualTo(CONTENT.length);
    try (FetchTarget target = new FetchTarget(target(), sha256(CONTENT), () -> false)) {
      file.readInto(target);
      target.requireWhole();
      target.requireChecksum();
    }
    assertThat(target()).hasBinaryContent(CONTENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "s3a"})
  void namesTheConnectorThatIsMissing(String scheme) {
    FetchException failure = failure(fetcher, new FetchCommand(scheme + "://bucket/a", ""));
    assertThat(failure.result()).isEqualTo(Result.REFUSED);
    assertThat(failure)
        .hasMessageContaining("No FileSystem for scheme \"" + scheme + "\"")
        .hasMessageContaining("install Hadoop's connector for it on the nodes");
  }

  @Test
  void learnsLengthAndVersionWithoutContent() throws Exception {
    FetchCommand source = new FetchCommand(server.url("/file"), "");
    assertThat(fetcher.status(source))
        .isEqualTo(new RemoteStatus(CONTENT.length, "\"1\"", RemoteStatus.UNKNOWN));
    server.headless = true;
    assertThat(fetcher.status(source))
        .isEqualTo(new RemoteStatus(CONTENT.length, "\"1\"", RemoteStatus.UNKNOWN));
    assertThat(server.requests())
        .containsExactly("HEAD /file - - -", "HEAD /file - - -", "GET /file bytes=0-0 - -");
  }

  @Test
  void fetchesFromAnFtpServer() throws Exception {
    try (FtpServer ftp = new FtpServer(CONTENT)) {
      FetchCommand source = new FetchCommand(ftp.url("/file"), sha256(CONTENT));
      assertFetched(source);
      assertThat(failure(fetcher, new FetchCommand(ftp.url("/file"), "")))
          .hasMessageContaining("does not say how long the file is");
      assertThat(failure(fetcher, new FetchCommand(ftp.url("/other"), "")).result())
          .isEqualTo(Result.REFUSED);
    }
  }
}
