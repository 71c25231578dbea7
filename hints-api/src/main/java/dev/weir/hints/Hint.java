package dev.weir.hints;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Advice for files that match a pattern. Its parts are independent; for an absent part, stock
 * Hadoop decides. Immutable.
 */
public final class Hint {
  /** The smallest block size that a hint may have, in bytes: HDFS' default limit. */
  public static final long MIN_BLOCK_SIZE = 1L << 20;

  /** A block size must be a multiple of this, in bytes: HDFS' default bytes per checksum. */
  public static final long BLOCK_SIZE_UNIT = 512;

  private final @Nullable Placement placement;
  private final @Nullable Replication replication;
  private final @Nullable Long blockSize;
  private final @Nullable Lifetime lifetime;
  private final boolean cache;

  private Hint(Builder builder) {
    this.placement = builder.placement;
    this.replication = builder.replication;
    this.blockSize = builder.blockSize;
    this.lifetime = builder.lifetime;
    this.cache = builder.cache;
  }

  /** A builder without any part. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with the parts of this hint. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.placement = placement;
    builder.replication = replication;
    builder.blockSize = blockSize;
    builder.lifetime = lifetime;
    builder.cache = cache;
    return builder;
  }

  /** Where the blocks go. */
  public Optional<Placement> placement() {
    return Optional.ofNullable(placement);
  }

  /** The number of replicas and when they are made. */
  public Optional<Replication> replication() {
    return Optional.ofNullable(replication);
  }

  /** The block size in bytes. */
  public OptionalLong blockSize() {
    return blockSize == null ? OptionalLong.empty() : OptionalLong.of(blockSize);
  }

  /** Whether the file is kept. */
  public Optional<Lifetime> lifetime() {
    return Optional.ofNullable(lifetime);
  }

  /** Whether to pin the file in the memory of DataNodes. */
  public boolean cache() {
    return cache;
  }

  /** Whether the file is temporary. */
  public boolean isTemporary() {
    return lifetime != null && lifetime.temporary();
  }

  /** Whether replicas beyond the first are made after the write. */
  public boolean isLazy() {
    return replication != null && replication.mode() == Replication.Mode.LAZY;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Hint that
        && Objects.equals(placement, that.placement)
        && Objects.equals(replication, that.replication)
        && Objects.equals(blockSize, that.blockSize)
        && Objects.equals(lifetime, that.lifetime)
        && cache == that.cache;
  }

  @Override
  public int hashCode() {
    return Objects.hash(placement, replication, blockSize, lifetime, cache);
  }

  @Override
  public String toString() {
    StringJoiner parts = new StringJoiner(", ", "Hint[", "]");
    placement().ifPresent(value -> parts.add(value.toString()));
    replication().ifPresent(value -> parts.add(value.toString()));
    blockSize().ifPresent(value -> parts.add("blockSize=" + value));
    lifetime().ifPresent(value -> parts.add(value.toString()));
    if (cache) {
      parts.add("cache");
    }
    return parts.toString();
  }

  /** Builds a {@link Hint}. Unset parts are absent. Not thread-safe. */
  public static final class Builder {
    private @Nullable Placement placement;
    private @Nullable Replication replication;
    private @Nullable Long blockSize;
    private @Nullable Lifetime lifetime;
    private boolean cache;

    private Builder() {}

    /** Sets where the blocks go. */
    public Builder placement(Placement value) {
      this.placement = value;
      return this;
    }

    /** Sets the number of replicas and when they are made. */
    public Builder replication(Replication value) {
      this.replication = value;
      return this;
    }

    /**
     * Sets the block size in bytes.
     *
     * @throws InvalidHintException if it is below {@link #MIN_BLOCK_SIZE} or not a multiple of
     *     {@link #BLOCK_SIZE_UNIT}
     */
    public Builder blockSize(long bytes) {
      if (bytes < MIN_BLOCK_SIZE || bytes % BLOCK_SIZE_UNIT != 0) {
        throw new InvalidHintException(
            "block size of "
                + bytes
                + " bytes is not allowed by HDFS; write a multiple of "
                + BLOCK_SIZE_UNIT
                + " that is at least "
                + MIN_BLOCK_SIZE);
      }
      this.blockSize = bytes;
      return this;
    }

    /** Sets whether the file is kept. */
    public Builder lifetime(Lifetime value) {
      this.lifetime = value;
      return this;
    }

    /** Sets whether to pin the file in the memory of DataNodes. */
    public Builder cache(boolean value) {
      this.cache = value;
      return this;
    }

    public Hint build() {
      return new Hint(this);
    }
  }
}
