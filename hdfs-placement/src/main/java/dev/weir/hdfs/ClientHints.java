package dev.weir.hdfs;

import dev.weir.hints.HintCodec;
import dev.weir.hints.LogLimit;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.store.ClientRules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules that this process follows for the new files of one file system: those of a local file,
 * or those of the attribute of the root directory. Thread-safe.
 */
public final class ClientHints {
  static final ClientHints NONE = none();

  /** After this time the attribute is read again, when a file is created. */
  static final Duration MAX_AGE = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(ClientHints.class);
  private static final LogLimit LOG_LIMIT = LogLimit.oncePerMinute();

  /**
   * All clients of a file system share its rules. A daemon may have a client for each of its users,
   * and a program a context for each of its files.
   */
  private static final Map<String, ClientHints> BY_FILE_SYSTEM = new ConcurrentHashMap<>();

  private final String authority;

  /** The path of a hint set, which need not exist yet; empty for the attribute. */
  private final String file;

  private final Clock clock;
  private final LongSupplier nanoTime;
  private volatile @Nullable Known known;

  /**
   * The rules that were read.
   *
   * @param readAt by the monotonic clock
   * @param file identifies the content of the file; empty for the attribute
   */
  private record Known(HintIndex rules, long readAt, List<Object> file) {}

  /** Reads the attribute of the root directory. */
  @FunctionalInterface
  public interface Attribute {
    /** Returns the value; null if there is none. */
    byte @Nullable [] read() throws IOException;
  }

  ClientHints(String authority, String file, Clock clock, LongSupplier nanoTime) {
    this.authority = authority;
    this.file = file;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  private static ClientHints none() {
    ClientHints none = new ClientHints("", "", Clock.systemUTC(), System::nanoTime);
    none.known = new Known(HintIndex.empty(), 0, List.of());
    return none;
  }

  /** The rules for a file system, which are read when they are first needed. */
  static ClientHints of(URI fileSystem, Configuration conf) {
    if (!conf.getBoolean(WeirFileSystem.ENABLED_KEY, true)) {
      return NONE;
    }
    String authority = fileSystem.getAuthority() == null ? "" : fileSystem.getAuthority();
    String file = conf.getTrimmed(WeirFileSystem.FILE_KEY, "");
    return file.isEmpty()
        ? BY_FILE_SYSTEM.computeIfAbsent(
            authority, name -> new ClientHints(name, "", Clock.systemUTC(), System::nanoTime))
        : new ClientHints(authority, file, Clock.systemUTC(), System::nanoTime);
  }

  /**
   * The current rules. If they cannot be read, the previous ones stay in use.
   *
   * @param onFailure called if they cannot be read
   */
  HintIndex current(Attribute attribute, Runnable onFailure) {
    Known present = known;
    if (present != null && isCurrent(present)) {
      return present.rules();
    }
    synchronized (this) {
      present = known;
      if (present == null || !isCurrent(present)) {
        HintIndex before = present == null ? HintIndex.empty(authority) : present.rules();
        List<Object> content = fileContent();
        present = new Known(read(attribute, before, onFailure), nanoTime.getAsLong(), content);
        known = present;
      }
      return present.rules();
    }
  }

  private boolean isCurrent(Known present) {
    if (this == NONE) {
      return true;
    }
    return file.isEmpty()
        ? nanoTime.getAsLong() - present.readAt() < MAX_AGE.toNanos()
        : fileContent().equals(present.file());
  }

  /** Changes when the file is replaced; empty if there is none. */
  private List<Object> fileContent() {
    if (file.isEmpty()) {
      return List.of();
    }
    try {
      BasicFileAttributes found = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
      return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    } catch (IOException e) {
      LOG.debug("Cannot read {}", file, e);
      return List.of();
    }
  }

  private HintIndex read(Attribute attribute, HintIndex before, Runnable onFailure) {
    try {
      if (!file.isEmpty()) {
        if (Files.notExists(Path.of(file))) {
          return HintIndex.empty(authority);
        }
        String json = Files.readString(Path.of(file));
        return HintIndex.empty(authority).with(HintCodec.fromJson(json, file), 0);
      }
      byte[] value = attribute.read();
      return value == null || value.length == 0
          ? HintIndex.empty(authority)
          : ClientRules.decode(value, authority, clock.instant());
    } catch (IOException | RuntimeException | LinkageError e) {
      onFailure.run();
      if (isRefusal(e)) {
        LOG.debug("The NameNode does not show the rules of {}", authority, e);
      } else if (LOG_LIMIT.permits()) {
        LOG.warn(
            "Cannot read the hints of {}; files get the previous or stock values",
            file.isEmpty() ? "hdfs://" + authority : file,
            e);
      }
      return before;
    }
  }

  /** Whether this user may not read the root directory, or the NameNode has attributes off. */
  private static boolean isRefusal(Throwable failure) {
    return failure instanceof AccessControlException
        || (failure instanceof RemoteException remote
            && UnsupportedOperationException.class.getName().equals(remote.getClassName()));
  }

  /** Logs a failure to follow a hint; the file got stock values. */
  static void logFailure(String path, Throwable failure) {
    if (LOG_LIMIT.permits()) {
      LOG.warn("Cannot follow the hint for {}; the file gets stock values", path, failure);
    }
  }
}
