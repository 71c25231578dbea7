package dev.weir.service.database;

import java.util.ArrayList;
import java.util.List;

/** Splits lists into batches for one statement each. */
public final class Batches {
  private Batches() {}

  /** Returns views of the list, in order, each at most of the given size. */
  public static <T> List<List<T>> of(List<T> all, int size) {
    List<List<T>> pages = new ArrayList<>();
    for (int i = 0; i < all.size(); i += size) {
      pages.add(all.subList(i, Math.min(all.size(), i + size)));
    }
    return pages;
  }
}
