package dev.weir.hints;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map from text to values that carry their own key: a change makes a new map that
 * shares all but a few small arrays with the old one, so that an index of a million rules follows a
 * change of one set without being built again. A hash array mapped trie (Bagwell, Ideal Hash Trees,
 * 2001) of 32-way nodes; values and sub-nodes of a node lie in one array without gaps.
 *
 * <p>A look-up takes a region of a text, and allocates nothing. Immutable.
 *
 * @param <V> the values
 */
final class HashTrie<V extends HashTrie.Keyed> {
  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;
  private static final int HASH_BITS = 32;

  private final @Nullable Node root;
  private final int size;

  private HashTrie(@Nullable Node root, int size) {
    this.root = root;
    this.size = size;
  }

  /** A value that knows its key. */
  interface Keyed {
    String key();
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

  /** The value whose key equals the characters of a text from one index up to another. */
  @SuppressWarnings("unchecked") // nothing else is ever put in
  @Nullable V get(String text, int from, int end) {
    Node node = root;
    int hash = hash(text, from, end);
    for (int shift = 0; node != null; shift += BITS) {
      if (shift >= HASH_BITS) {
        return (V) node.scan(text, from, end);
      }
      int bit = bit(hash, shift);
      if ((node.map & bit) == 0) {
        return null;
      }
      Object entry = node.entries[node.position(bit)];
      if (entry instanceof Node below) {
        node = below;
      } else {
        return equals(((Keyed) entry).key(), text, from, end) ? (V) entry : null;
      }
    }
    return null;
  }

  /** With a value, instead of the one of the same key if there is one. */
  HashTrie<V> with(V value) {
    String key = value.key();
    int hash = hash(key, 0, key.length());
    if (root == null) {
      return new HashTrie<>(Node.of(value, hash, 0), 1);
    }
    boolean replaces = get(key) != null;
    return new HashTrie<>(root.with(value, hash, 0), replaces ? size : size + 1);
  }

  /** Without the value of a key. */
  HashTrie<V> without(String key) {
    if (root == null || get(key) == null) {
      return this;
    }
    return new HashTrie<>(root.without(key, hash(key, 0, key.length()), 0), size - 1);
  }

  @SuppressWarnings("unchecked") // nothing else is ever put in
  void forEach(Consumer<? super V> consumer) {
    if (root != null) {
      root.forEach(entry -> consumer.accept((V) entry));
    }
  }

  /** As {@link String#hashCode} computes and keeps it, with its bits spread over the levels. */
  private static int hash(String text, int from, int end) {
    int hash = 0;
    if (from == 0 && end == text.length()) {
      hash = text.hashCode();
    } else {
      for (int i = from; i < end; i++) {
        hash = 31 * hash + text.charAt(i);
      }
    }
    int spread = hash * 0x9e3779b9;
    return spread ^ (spread >>> 15);
  }

  private static int bit(int hash, int shift) {
    return 1 << ((hash >>> shift) & MASK);
  }

  private static boolean equals(String key, String text, int from, int end) {
    return key.length() == end - from && text.startsWith(key, from);
  }

  /** A node; those beyond the last bit of the hash hold the values of one hash side by side. */
  private static final class Node {
    private final int map;
    private final Object[] entries;

    Node(int map, Object[] entries) {
      this.map = map;
      this.entries = entries;
    }

    static Node of(Keyed value, int hash, int shift) {
      return new Node(shift >= HASH_BITS ? 0 : bit(hash, shift), new Object[] {value});
    }

    int position(int bit) {
      return Integer.bitCount(map & (bit - 1));
    }

    @Nullable Object scan(String text, int from, int end) {
      for (Object entry : entries) {
        if (HashTrie.equals(((Keyed) entry).key(), text, from, end)) {
          return entry;
        }
      }
      return null;
    }

    Node with(Keyed value, int hash, int shift) {
      if (shift >= HASH_BITS) {
        int at = indexOf(value.key());
        return at < 0 ? new Node(0, append(value)) : new Node(0, replaced(at, value));
      }
      int bit = bit(hash, shift);
      int at = position(bit);
      if ((map & bit) == 0) {
        return new Node(map | bit, inserted(at, value));
      }
      Object entry = entries[at];
      if (entry instanceof Node below) {
        return new Node(map, replaced(at, below.with(value, hash, shift + BITS)));
      }
      Keyed present = (Keyed) entry;
      if (present.key().equals(value.key())) {
        return new Node(map, replaced(at, value));
      }
      int other = HashTrie.hash(present.key(), 0, present.key().length());
      Node both = Node.of(present, other, shift + BITS).with(value, hash, shift + BITS);
      return new Node(map, replaced(at, both));
    }

    /** Only for a key that is here; null when nothing is left. */
    @Nullable Node without(String key, int hash, int shift) {
      if (shift >= HASH_BITS) {
        return entries.length == 1 ? null : new Node(0, removed(indexOf(key)));
      }
      int bit = bit(hash, shift);
      int at = position(bit);
      if (entries[at] instanceof Node below) {
        Node rest = below.without(key, hash, shift + BITS);
        if (rest != null) {
          boolean single = rest.entries.length == 1 && !(rest.entries[0] instanceof Node);
          return new Node(map, replaced(at, single ? rest.entries[0] : rest));
        }
      }
      return entries.length == 1 ? null : new Node(map & ~bit, removed(at));
    }

    void forEach(Consumer<Object> consumer) {
      for (Object entry : entries) {
        if (entry instanceof Node below) {
          below.forEach(consumer);
        } else {
          consumer.accept(entry);
        }
      }
    }

    private int indexOf(String key) {
      for (int i = 0; i < entries.length; i++) {
        if (((Keyed) entries[i]).key().equals(key)) {
          return i;
        }
      }
      return -1;
    }

    private Object[] append(Object entry) {
      return inserted(entries.length, entry);
    }

    private Object[] replaced(int at, Object entry) {
      Object[] copy = entries.clone();
      copy[at] = entry;
      return copy;
    }

    private Object[] inserted(int at, Object entry) {
      Object[] copy = new Object[entries.length + 1];
      System.arraycopy(entries, 0, copy, 0, at);
      copy[at] = entry;
      System.arraycopy(entries, at, copy, at + 1, entries.length - at);
      return copy;
    }

    private Object[] removed(int at) {
      Object[] copy = Arrays.copyOf(entries, entries.length - 1);
      System.arraycopy(entries, at + 1, copy, at, entries.length - at - 1);
      return copy;
    }
  }
}
