package dev.weir.workflow.fetch;

import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.staging.TaskSecrets;
import dev.weir.workflow.text.ErrorMessages;
import dev.weir.workflow.transfer.FailureClassifier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;

/**
 * Fetches files from outside the run's HDFS. A transfer that breaks is resumed where it broke, if
 * the content is still the same. Thread-safe.
 */
public final class Fetcher {

  /** A fetch fails after this many tries in a row without a byte. */
  private static final int MOST_TRIES = 5;

  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration CONNECT = Duration.ofSeconds(20);

  private final TaskSecrets secrets;
  private final Duration silence;
  private final Pause pause;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();

  /** Waits between tries. */
  interface Pause {
    void seconds(long seconds) throws InterruptedException;
  }

  public Fetcher(TaskSecrets secrets) {
    this(secrets, SILENCE, TimeUnit.SECONDS::sleep);
  }

  Fetcher(TaskSecrets secrets, Duration silence, Pause pause) {
    this.secrets = secrets;
    this.silence = silence;
    this.pause = pause;
  }

  /**
   * Fetches a file.
   *
   * @param name its name in the workflow, for messages
   * @param late whether the time limit is over
   * @return whether it was fetched; false if the time limit is over
   * @throws FetchException if it cannot be fetched; the message names file and URL
   */
  public boolean fetch(FetchCommand source, String name, Path file, BooleanSupplier late)
      throws IOException, InterruptedException {
    String url = url(source);
    try (FetchTarget target = new FetchTarget(file, source.checksum(), late)) {
      RemoteFile remote = remote(source.scheme(), url);
      int failures = 0;
      long furthest = 0;
      while (true) {
        try {
          remote.readInto(target);
          target.requireWhole();
          target.requireChecksum();
          return true;
        } catch (FetchTarget.LateException e) {
          return false;
        } catch (FetchException e) {
          throw e;
        } catch (IOException e) {
          requireNotInterrupted(e);
          // What a new start brings once more is no progress.
          failures = target.position() > furthest ? 1 : failures + 1;
          furthest = Math.max(furthest, target.position());
          if (failures >= MOST_TRIES || FailureClassifier.isLocalFileError(e)) {
            throw e;
          }
          if (late.getAsBoolean()) {
            return false;
          }
        }
        pause.seconds(1L << (failures - 1));
      }
    } catch (FetchException e) {
      throw new FetchException(e.result(), problem(source, url, name, e));
    } catch (IOException e) {
      if (FailureClassifier.isLocalFileError(e)) {
        throw e;
      }
      throw new FetchException(
          Result.INFRASTRUCTURE,
          problem(source, url, name, e) + ": check that the nodes reach the server");
    }
  }

  /**
   * Returns what is known of a file without its content.
   *
   * @throws FetchException if it is missing or not readable
   */
  RemoteStatus status(FetchCommand source) throws IOException, InterruptedException {
    return remote(source.scheme(), url(source)).status();
  }

  private static String problem(FetchCommand source, String url, String name, IOException e) {
    return "cannot fetch '"
        + name
        + "' from "
        + source.redactedUrl()
        + ": "
        // Messages of libraries may have the URL.
        + ErrorMessages.firstLine(e).replace(url, source.redactedUrl());
  }

  private static void requireNotInterrupted(IOException e) throws InterruptedException {
    boolean isInterrupt =
        e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
    if (Thread.interrupted() || isInterrupt) {
      InterruptedException interrupted = new InterruptedException("stopped");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private RemoteFile remote(String scheme, String text) throws FetchException {
    URI url = URI.create(text);
    return switch (scheme) {
      case "http", "https" -> new HttpRemoteFile(client, url, silence);
      case "ftp" -> new StreamRemoteFile.OfFtp(url, silence);
      case "file" ->
          throw new FetchException(
              Result.REFUSED,
              "'weir run' reads local files, and the nodes do not: start the workflow with it");
      default -> new StreamRemoteFile.OfHadoop(url, new Configuration());
    };
  }

  private String url(FetchCommand source) throws FetchException {
    if (source.secret().isEmpty()) {
      return source.url();
    }
    String variable = "url";
    try {
      return secrets
          .resolve(Map.of(variable, TaskSecrets.reference(source.secret())))
          .getOrDefault(variable, "");
    } catch (IllegalArgumentException e) {
      throw new FetchException(
          Result.REFUSED,
          "the secret parts of the URL are stored nowhere: start the workflow with 'weir run'");
    }
  }
}
