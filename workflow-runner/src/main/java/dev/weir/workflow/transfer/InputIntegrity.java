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
 * Tells whether a command has altered its inputs. They are read-only, which does not keep a command
 * from making them writable, from putting others in their place, or from being root's. One that is
 * gone is not altered by that: programs such as gzip remove what they have read. But a link to what
 * others read, too, may have been written to before it was removed, or under the name that it has
 * been moved to since; so each attempt has one more link to it, at which this looks.
 */
public final class InputIntegrity {

  private static final Logger LOG = LoggerFactory.getLogger(InputIntegrity.class);

  private static final String BY_ITSELF =
      ": other tasks may read the same file; have the command work on a copy";

  private static final String BY_ANOTHER =
      ", by it or by another task of this node that reads the same file or made it: it is tried"
          + " again, on this node with a copy of its own";

  private final List<Seal> seals;
  private final Sandbox sandbox;

  /** Whether a link that was held is gone; of one thread. */
  private boolean unheld;

  /**
   * Seals of an attempt.
   *
   * @param sandbox the attempt's
   */
  InputIntegrity(List<Seal> seals, Sandbox sandbox) {
    this.seals = List.copyOf(seals);
    this.sandbox = sandbox;
  }

  /**
   * An input as it came into a sandbox.
   *
   * @param name of the input
   * @param file its place
   * @param hold another link to the same file; null when the file is the attempt's own
   * @param facts what it is like
   * @param source where it came from; null for a region, to which nobody else has a link
   * @param crc32c of its content
   */
  record Seal(
      String name,
      Path file,
      @Nullable Path hold,
      Facts facts,
      @Nullable Source source,
      long crc32c) {

    /**
     * What became of the link that is held. A time alone is no content: it is set back, or the
     * cache and all others would take the file for altered.
     */
    private Held held() throws IOException {
      if (hold == null) {
        return Held.WHOLE;
      }
      Facts now;
      try {
        now = LocalFiles.facts(hold);
      } catch (NoSuchFileException e) {
        return Held.REMOVED;
      }
      if (!now.isWrittenSince(facts)) {
        return Held.WHOLE;
      }
      try {
        // By the time it is still the same, or somebody has written to what was read.
        if (now.bytes() == facts.bytes()
            && isContent(hold)
            && !LocalFiles.facts(hold).isWrittenSince(now)) {
          LocalFiles.setModified(hold, facts.modified());
          return Held.WHOLE;
        }
      } catch (AccessDeniedException e) {
        // The command took the right to read it away: nobody can tell, nor read it any more.
        return Held.WRITTEN;
      }
      return Held.WRITTEN;
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

  /** What became of a link to what others read, too. */
  private enum Held {
    /** Nobody has written to it; also where nothing had to be held. */
    WHOLE,
    WRITTEN,
    /** The command has found it: nobody can tell what was done to it before. */
    REMOVED
  }

  /**
   * An input that is not as it was.
   *
   * @param name of the input
   * @param byAnother whether another task may have done it, which reads or has read the same file,
   *     or has made it
   */
  public record Broken(String name, boolean byAnother) {}

  /**
   * Looks at all of them; the source of a link that was written to is told. To be called once.
   *
   * @return inputs that are not as they were
   */
  public List<Broken> broken() throws IOException {
    List<Broken> broken = new ArrayList<>();
    for (Seal seal : seals) {
      Held held = seal.held();
      if (held == Held.REMOVED) {
        unheld = true;
        tellSpoiled(seal);
      } else if (held == Held.WRITTEN) {
        broken.add(new Broken(seal.name(), isPerhapsAnothers(seal, tellSpoiled(seal))));
      } else if (isBroken(seal)) {
        broken.add(new Broken(seal.name(), isHandedOn(seal)));
      }
    }
    return broken;
  }

  /**
   * Says that inputs were altered.
   *
   * @param inputs one or more
   * @param byAnother whether another task may have done it
   */
  public static String alteredText(List<Broken> inputs, boolean byAnother) {
    return "input '"
        + inputs.get(0).name()
        + "'"
        + (inputs.size() == 1 ? "" : " and " + (inputs.size() - 1) + " others")
        + " altered while the command ran"
        + (byAnother ? BY_ANOTHER : BY_ITSELF);
  }

  /** Whether a link that was held was gone when all were looked at: the command has removed it. */
  public boolean wereUnheld() {
    return unheld;
  }

  /**
   * Looks at inputs again that have become outputs, by a move or a link, when these are stored:
   * another task that reads the same may have written to them meanwhile. The source of such a one
   * is told.
   *
   * @param outputs where they are
   * @throws IOException that says so when one is not as it was
   */
  void requireWhole(Collection<Path> outputs) throws IOException {
    if (seals.stream().allMatch(seal -> seal.hold() == null)) {
      return;
    }
    Set<Long> stored = new HashSet<>();
    for (Path output : outputs) {
      // Of what it points to, for that is what was stored.
      stored.add(((Number) Files.getAttribute(output, "unix:ino")).longValue());
    }
    for (Seal seal : seals) {
      if (stored.contains(seal.facts().inode()) && seal.held() != Held.WHOLE) {
        tellSpoiled(seal);
        throw new IOException(
            "input '"
                + seal.name()
                + "' altered, by another task of this node that reads the same file, while it was"
                + " stored as an output: the task is tried again, on this node with a copy of its"
                + " own");
      }
    }
  }

  /**
   * Has the cache give the file to nobody any more.
   *
   * @return whether this is the first to say so
   */
  private static boolean tellSpoiled(Seal seal) {
    Source source = seal.source();
    return source != null && source.spoiled();
  }

  /**
   * Which of those that have a link to a file has written to it cannot be told. It was this one
   * when nobody else has a link, the cache least of all, and nobody who had has found it altered.
   *
   * @param first whether nobody has; the cache has no link any more when it was told
   */
  private boolean isPerhapsAnothers(Seal seal, boolean first) {
    Path hold = seal.hold();
    if (seal.source() == null || hold == null) {
      return false;
    }
    if (!first) {
      return true;
    }
    try {
      return LocalFiles.facts(hold).links() > sandbox.names(seal.facts().inode());
    } catch (IOException e) {
      LOG.debug("Who else has a link to {} cannot be told", seal.name(), e);
      return true;
    }
  }

  private static boolean isHandedOn(Seal seal) {
    return seal.source() != null && seal.source().isHandedOn();
  }

  private static boolean isBroken(Seal seal) throws IOException {
    Facts then = seal.facts();
    Facts now;
    try {
      now = LocalFiles.facts(seal.file());
    } catch (NoSuchFileException e) {
      return false;
    }
    if (now.inode() != then.inode()) {
      return true;
    }
    if (seal.hold() != null) {
      return false;
    }
    boolean written = now.isWrittenSince(then);
    if (now.bytes() != then.bytes() || !Checksum.isKnown(seal.crc32c())) {
      return written;
    }
    // Nobody can set the time of a change back; but each link that comes or goes changes it, in any
    // sandbox, and so does a change of rights. Only a file of its own is worth reading for that.
    boolean changed = now.isAlone() && !now.changed().equals(then.changed());
    return (written || changed) && !seal.isContent(seal.file());
  }
}
