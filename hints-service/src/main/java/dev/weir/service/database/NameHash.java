package dev.weir.service.database;

import dev.weir.workflow.text.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Hashes names that may be longer than an index of a database allows. */
public final class NameHash {
  private NameHash() {}

  /** Returns the first 16 bytes of the SHA-256 of the name in UTF-8. */
  public static UUID of(String name) {
    byte[] hash = Sha256.digest().digest(name.getBytes(StandardCharsets.UTF_8));
    ByteBuffer bytes = ByteBuffer.wrap(hash);
    return new UUID(bytes.getLong(), bytes.getLong());
  }
}
