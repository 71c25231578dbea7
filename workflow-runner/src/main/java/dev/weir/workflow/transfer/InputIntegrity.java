package dev.weir.workflow.transfer;

import dev.weir.workflow.record.Checksum;
import dev.weir.workflow.sandbox.LocalFiles;
import dev.weir.workflow.sandbox.LocalFiles.Facts;
import dev.weir.workflow.sandbox.Sandbox;
import dev.weir.workflow.transfer.DataStore.Source;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects whether a command altered its inputs. Inputs are read-only, but a command may make them
 * writable, replace them, or run as root. A removed input is not altered: programs such as gzip
 * remove what they have read. But a link to a shared file may have been written to before its
 * removal, or under a name that it was moved to. Therefore each attempt holds one more link to the
 * file, which this class checks.
 */
public final class InputIntegrity {

  private static final Logger LOG = LoggerFactory.getLogger(InputIntegrity.class);

  private static final String BY_THIS_TASK =
      ": other tasks may read the same file; have the command work on a copy";

  private static final String BY_ANY_TASK =
      ", by it or by another task of this node that reads or wrote the same file: it is retried"
          + " on this node with a private copy";

  private final List<InputState> states;
  private final Sandbox sandbox;

  /** Whether the held link of an input was removed. Confined to one thread. */
  private boolean linkRemoved;

  /** Creates the checks of an attempt. */
  InputIntegrity(List<InputState> states, Sandbox sandbox) {
    this.states = List.copyOf(states);
    this.sandbox = sandbox;
  }

  /**
   * The state of an input when it came into a sandbox.
   *
   * @param file its place
   * @param hold another link to the same file; null when the file is the attempt's own
   * @param facts its attributes
   * @param source where it came from; null for a region, which is not shared
   * @param crc32c of its content
   */
  record InputState(
      String name,
      Path file,
      @Nullable Path hold,
      Facts facts,
      @Nullable Source source,
      long crc32c) {

    /**
     * Returns the state of the held link. When only the time has changed, it is set back, or the
     * cache and all other readers would consider the file altered.
     */
    private LinkState linkState() throws IOException {
      if (hold == null) {
        return LinkState.UNALTERED;
      }
      Facts now;
      try {
        now = LocalFiles.facts(hold);
      } catch (NoSuchFileException e) {
        return LinkState.REMOVED;
      }
      if (!now.isWrittenSince(facts)) {
        return LinkState.UNALTERED;
      }
      try {
        // Compared by its content, and again by its attributes in case it was written to
        // meanwhile.
        if (now.bytes() == facts.bytes()
            && isContent(hold)
            && !LocalFiles.facts(hold).isWrittenSince(now)) {
          LocalFiles.setModified(hold, facts.modified());
          return LinkState.UNALTERED;
        }
      } catch (AccessDeniedException e) {
        // The command removed the read permission: the content can neither be checked nor read
        // any more.
        return LinkState.WRITTEN;
      }
      return LinkState.WRITTEN;
    }

    private boolean isContent(Path file) throws IOException {
      if (!Checksum.isKnown(crc32c)) {
        return false;
      }
      CRC32C crc = new CRC32C();
      try (InputStream in = new CheckedInputStream(Files.newInputStream(file), crc)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return Checksum.of(crc) == crc32c;
    }
  }

  /** The state of a link to a shared file. */
  private enum LinkState {
    /** Not written to; also when no link had to be held. */
    UNALTERED,
    WRITTEN,
    /** The command found and removed the link; earlier changes cannot be detected. */
    REMOVED
  }

  /**
   * An input that was altered.
   *
   * @param byAnother whether another task may have altered it, which reads, has read or wrote the
   *     same file
   */
  public record Altered(String name, boolean byAnother) {}

  /** Checks all inputs, and reports altered shared files to their sources. Call it once. */
  public List<Altered> altered() throws IOException {
    List<Altered> altered = new ArrayList<>();
    for (InputState state : states) {
      LinkState link = state.linkState();
      if (link == LinkState.REMOVED) {
        linkRemoved = true;
        reportAltered(state);
      } else if (link == LinkState.WRITTEN) {
        altered.add(new Altered(state.name(), isPerhapsAnotherTasks(state, reportAltered(state))));
      } else if (isAltered(state)) {
        altered.add(new Altered(state.name(), isLocalOutput(state)));
      }
    }
    return altered;
  }

  /**
   * Returns the message about altered inputs.
   *
   * @param inputs one or more
   * @param byAnother whether another task may have altered them
   */
  public static String alteredText(List<Altered> inputs, boolean byAnother) {
    return "input '"
        + inputs.get(0).name()
        + "'"
        + (inputs.size() == 1 ? "" : " and " + (inputs.size() - 1) + " others")
        + " altered while the command ran"
        + (byAnother ? BY_ANY_TASK : BY_THIS_TASK);
  }

  /** Returns whether the check found that the command had removed a held link. */
  public boolean wasLinkRemoved() {
    return linkRemoved;
  }

  /**
   * Checks inputs that were moved or linked to become outputs, once these are stored: another task
   * that reads the same file may have written to it meanwhile. Reports altered files to their
   * sources.
   *
   * @param outputs the places of the outputs
   * @throws IOException when one was altered
   */
  void requireUnaltered(Collection<Path> outputs) throws IOException {
    if (states.stream().allMatch(state -> state.hold() == null)) {
      return;
    }
    Set<Long> stored = new HashSet<>();
    for (Path output : outputs) {
      // Follows symbolic links, because the link's target was stored.
      stored.add(((Number) Files.getAttribute(output, "unix:ino")).longValue());
    }
    for (InputState state : states) {
      if (stored.contains(state.facts().inode()) && state.linkState() != LinkState.UNALTERED) {
        reportAltered(state);
        throw new IOException(
            "input '"
                + state.name()
                + "' altered by another task of this node that reads the same file while it was stored"
                + " as an output: the task is retried on this node with a private copy");
      }
    }
  }

  /**
   * Tells the cache not to serve the file any more.
   *
   * @return whether this is the first report
   */
  private static boolean reportAltered(InputState state) {
    Source source = state.source();
    return source != null && source.markAltered();
  }

  /**
   * Returns whether another task may have written to the file. This task did when no other links
   * exist, not even the cache's, and no earlier task reported a change.
   *
   * @param first whether this is the first report; the cache then no longer has a link
   */
  private boolean isPerhapsAnotherTasks(InputState state, boolean first) {
    Path hold = state.hold();
    if (state.source() == null || hold == null) {
      return false;
    }
    if (!first) {
      return true;
    }
    try {
      return LocalFiles.facts(hold).links() > sandbox.linkCount(state.facts().inode());
    } catch (IOException e) {
      LOG.debug("Cannot determine which others have a link to {}", state.name(), e);
      return true;
    }
  }

  private static boolean isLocalOutput(InputState state) {
    return state.source() != null && state.source().isLocalOutput();
  }

  private static boolean isAltered(InputState state) throws IOException {
    Facts before = state.facts();
    Facts now;
    try {
      now = LocalFiles.facts(state.file());
    } catch (NoSuchFileException e) {
      return false;
    }
    if (now.inode() != before.inode()) {
      return true;
    }
    if (state.hold() != null) {
      return false;
    }
    boolean written = now.isWrittenSince(before);
    if (now.bytes() != before.bytes() || !Checksum.isKnown(state.crc32c())) {
      return written;
    }
    // A command cannot set back the change time (ctime). But each link that comes or goes changes
    // it, in any sandbox, and so does a permission change. Only an unshared file is worth reading
    // for that.
    boolean changed = now.isAlone() && !now.changed().equals(before.changed());
    return (written || changed) && !state.isContent(state.file());
  }
}
