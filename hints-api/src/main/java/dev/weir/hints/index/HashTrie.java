package dev.weir.hints.index;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map from text to values that contain their key. A change creates a new map that
 * shares all but a few small arrays with the old one, so an index of a million rules follows a
 * change of one set without being rebuilt. It is a hash array mapped trie (Bagwell, Ideal Hash
 * Trees, 2001) of 32-way branches with {@link Bucket}s as leaves. A million values need three
 * levels of branches, which stay in the processor's caches; beyond them a lookup reads one bucket
 * from memory.
 *
 * <p>A lookup takes a range of a text and allocates nothing. Immutable.
 */
final class HashTrie<V extends HashTrie.Keyed> {
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;
  private static final int HASH_BITS = 32;

  private final @Nullable Tree root;
  private final int size;

  private HashTrie(@Nullable Tree root, int size) {
    this.root = root;
    this.size = size;
  }

  interface Keyed {
    String key();
  }

  /** A subtree of values by the bits of their hash from some position on. */
  private sealed interface Tree permits Branch, Bucket {
    Tree with(Keyed value, int hash, int shift);

    /** Removes a key that must be present; null if nothing is left. */
    @Nullable Tree without(String key, int hash, int shift);

    void forEach(Consumer<Object> consumer);
  }

  static <V extends Keyed> HashTrie<V> empty() {
    return new HashTrie<>(null, 0);
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  @Nullable V get(String key) {
    return get(key, 0, key.length());
  }

  /** The value whose key equals a range of a text; null if absent. */
  @Nullable V get(String text, int from, int end) {
    return get(text, from, end, hash(0, text, from, end));
  }

  /** The value for a range of a text with a known hash, as computed by {@link #hash}. */
  @SuppressWarnings("unchecked") // only values of type V are added
  @Nullable V get(String text, int from, int end, int hash) {
    int spread = spread(hash);
    Tree tree = root;
    int rest = spread;
    while (tree instanceof Branch branch) {
      tree = branch.child(rest);
      rest >>>= BITS;
    }
    return tree instanceof Bucket bucket ? (V) bucket.get(spread, text, from, end) : null;
  }

  /** A copy with a value, which replaces one of the same key. */
  HashTrie<V> with(V value) {
    String key = value.key();
    int hash = spread(key.hashCode());
    if (root == null) {
      return new HashTrie<>(Bucket.of(value, hash), 1);
    }
    boolean replaces = get(key) != null;
    return new HashTrie<>(root.with(value, hash, 0), replaces ? size : size + 1);
  }

  HashTrie<V> without(String key) {
    if (root == null || get(key) == null) {
      return this;
    }
    return new HashTrie<>(root.without(key, spread(key.hashCode()), 0), size - 1);
  }

  @SuppressWarnings("unchecked") // only values of type V are added
  void forEach(Consumer<? super V> consumer) {
    if (root != null) {
      root.forEach(entry -> consumer.accept((V) entry));
    }
  }

  /** Extends a hash, as computed by {@link String#hashCode}, by a range of a text. */
  static int hash(int before, String text, int from, int end) {
    int hash = before;
    int i = from;
    // Four characters per step, so that their multiplications run in parallel.
    for (; i + 3 < end; i += 4) {
      hash =
          31 * 31 * 31 * 31 * hash
              + 31 * 31 * 31 * text.charAt(i)
              + 31 * 31 * text.charAt(i + 1)
              + 31 * text.charAt(i + 2)
              + text.charAt(i + 3);
    }
    for (; i < end; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash;
  }

  /** Mixes the bits: similar texts have similar hash codes, and a level uses only five bits. */
  private static int spread(int hash) {
    int spread = hash * 0x9e3779b9;
    return spread ^ (spread >>> 15);
  }

  /** Up to 32 subtrees selected by five bits of the hash, stored without gaps. */
  private static final class Branch implements Tree {
    private final int bitmap;
    private final Tree[] children;

    Branch(int bitmap, Tree[] children) {
      this.bitmap = bitmap;
      this.children = children;
    }

    /** The subtree selected by the lowest bits. */
    @Nullable Tree child(int hash) {
      int bit = 1 << (hash & MASK);
      return (bitmap & bit) == 0 ? null : children[position(bit)];
    }

    private int position(int bit) {
      return Integer.bitCount(bitmap & (bit - 1));
    }

    @Override
    public Tree with(Keyed value, int hash, int shift) {
      int bit = 1 << ((hash >>> shift) & MASK);
      int at = position(bit);
      if ((bitmap & bit) == 0) {
        return new Branch(bitmap | bit, Copies.inserted(children, at, Bucket.of(value, hash)));
      }
      Tree changed = children[at].with(value, hash, shift + BITS);
      return new Branch(bitmap, Copies.replaced(children, at, changed));
    }

    @Override
    public @Nullable Tree without(String key, int hash, int shift) {
      int bit = 1 << ((hash >>> shift) & MASK);
      int at = position(bit);
      Tree rest = children[at].without(key, hash, shift + BITS);
      if (rest == null) {
        return children.length == 1
            ? null
            : new Branch(bitmap & ~bit, Copies.removed(children, at));
      }
      return children.length == 1 && rest instanceof Bucket
          ? rest
          : new Branch(bitmap, Copies.replaced(children, at, rest));
    }

    @Override
    public void forEach(Consumer<Object> consumer) {
      for (Tree child : children) {
        child.forEach(consumer);
      }
    }
  }

  /**
   * Values with their hashes beside them, so that only the matching value is read. Becomes a branch
   * when it has too many values, unless all bits of the hash are used.
   */
  private static final class Bucket implements Tree {
    private static final int MAX_VALUES = 64;

    private final int[] hashes;
    private final Keyed[] values;

    private Bucket(int[] hashes, Keyed[] values) {
      this.hashes = hashes;
      this.values = values;
    }

    static Bucket of(Keyed value, int hash) {
      return new Bucket(new int[] {hash}, new Keyed[] {value});
    }

    @Nullable Keyed get(int hash, String text, int from, int end) {
      for (int i = 0; i < hashes.length; i++) {
        if (hashes[i] == hash) {
          Keyed value = values[i];
          String key = value.key();
          if (key.length() == end - from && text.startsWith(key, from)) {
            return value;
          }
        }
      }
      return null;
    }

    @Override
    public Tree with(Keyed value, int hash, int shift) {
      int at = indexOf(value.key(), hash);
      if (at >= 0) {
        return new Bucket(hashes, Copies.replaced(values, at, value));
      }
      if (values.length < MAX_VALUES || shift >= HASH_BITS) {
        int[] more = Arrays.copyOf(hashes, hashes.length + 1);
        more[hashes.length] = hash;
        return new Bucket(more, Copies.inserted(values, values.length, value));
      }
      Tree split = new Branch(0, new Tree[0]).with(value, hash, shift);
      for (int i = 0; i < values.length; i++) {
        split = split.with(values[i], hashes[i], shift);
      }
      return split;
    }

    @Override
    public @Nullable Tree without(String key, int hash, int shift) {
      if (values.length == 1) {
        return null;
      }
      int at = indexOf(key, hash);
      int[] fewer = Arrays.copyOf(hashes, hashes.length - 1);
      System.arraycopy(hashes, at + 1, fewer, at, fewer.length - at);
      return new Bucket(fewer, Copies.removed(values, at));
    }

    @Override
    public void forEach(Consumer<Object> consumer) {
      for (Keyed value : values) {
        consumer.accept(value);
      }
    }

    private int indexOf(String key, int hash) {
      for (int i = 0; i < hashes.length; i++) {
        if (hashes[i] == hash && values[i].key().equals(key)) {
          return i;
        }
      }
      return -1;
    }
  }

  /** Copies of arrays with one change. */
  private static final class Copies {
    private Copies() {}

    static <T> T[] replaced(T[] array, int at, T entry) {
      T[] copy = array.clone();
      copy[at] = entry;
      return copy;
    }

    static <T> T[] inserted(T[] array, int at, T entry) {
      T[] copy = Arrays.copyOf(array, array.length + 1);
      System.arraycopy(array, at, copy, at + 1, array.length - at);
      copy[at] = entry;
      return copy;
    }

    static <T> T[] removed(T[] array, int at) {
      T[] copy = Arrays.copyOf(array, array.length - 1);
      System.arraycopy(array, at + 1, copy, at, copy.length - at);
      return copy;
    }
  }
}
