package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.Checksum;
import dev.weir.workflow.worker.DataStore.Source;
import dev.weir.workflow.worker.LocalFiles.Facts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a command has altered its inputs. They are read-only, which does not keep a command
 * from making them writable, from putting others in their place, or from being root's. One that is
 * gone is not altered: programs such as gzip remove what they have read.
 */
final class InputSeals {

  /** The sandbox's and the cache's. */
  private static final long OWN_LINKS = 2;

  private final List<Seal> seals;

  InputSeals(List<Seal> seals) {
    this.seals = List.copyOf(seals);
  }

  /**
   * An input as it came into a sandbox.
   *
   * @param name of the input
   * @param file its place
   * @param facts what it is like
   * @param source where it came from; null for a region, to which nobody else has a link
   * @param crc32c of its content
   */
  record Seal(String name, Path file, Facts facts, @Nullable Source source, long crc32c) {}

  /**
   * An input that is not as it was.
   *
   * @param name of the input
   * @param byAnother whether another task may have done it, which reads or has read the same file,
   *     or has made it
   */
  record Broken(String name, boolean byAnother) {}

  /**
   * Looks at all of them; the source of a link that was written to is told. To be called once.
   *
   * @return inputs that are not as they were
   */
  List<Broken> broken() throws IOException {
    List<Broken> broken = new ArrayList<>();
    for (Seal seal : seals) {
      Facts now;
      try {
        now = LocalFiles.facts(seal.file());
      } catch (NoSuchFileException e) {
        continue;
      }
      if (isWrittenLink(seal, now)) {
        broken.add(new Broken(seal.name(), isPerhapsAnothers(seal, now)));
      } else if (isBroken(seal, now)) {
        broken.add(new Broken(seal.name(), isHandedOn(seal)));
      }
    }
    return broken;
  }

  private static boolean isWrittenLink(Seal seal, Facts now) {
    return !seal.facts().isAlone()
        && now.inode() == seal.facts().inode()
        && now.isWrittenSince(seal.facts());
  }

  /**
   * Which of those that have a link to a file has written to it cannot be told. It was this one
   * when none but the cache has another, and nobody who had has found it altered.
   */
  private static boolean isPerhapsAnothers(Seal seal, Facts now) {
    return seal.source() != null && (!seal.source().spoiled() || now.links() > OWN_LINKS);
  }

  private static boolean isHandedOn(Seal seal) {
    return seal.source() != null && seal.source().isHandedOn();
  }

  private static boolean isBroken(Seal seal, Facts now) throws IOException {
    Facts then = seal.facts();
    if (now.inode() != then.inode() || now.isWrittenSince(then)) {
      return true;
    }
    // Nobody can set this time back; but each link that comes or goes changes it, in any sandbox,
    // and so does a change of rights. Only a file of its own is worth reading for that.
    return then.isAlone()
        && now.isAlone()
        && !now.changed().equals(then.changed())
        && !isContent(seal);
  }

  private static boolean isContent(Seal seal) throws IOException {
    long expected = seal.crc32c();
    CRC32C crc = new CRC32C();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(seal.file()), crc)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return !Checksum.isKnown(expected) || Checksum.of(crc) == expected;
  }
}
