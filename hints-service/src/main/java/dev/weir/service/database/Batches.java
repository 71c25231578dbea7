package dev.weir.service.database;

import java.util.ArrayList;
import java.util.List;

/** Cuts lists into pieces that a statement takes. */
public final class Batches {
  private Batches() {}

  /** Views of the list, in its order, none longer than that. */
  public static <T> List<List<T>> of(List<T> all, int size) {
    List<List<T>> pages = new ArrayList<>();
    for (int i = 0; i < all.size(); i += size) {
      pages.add(all.subList(i, Math.min(all.size(), i + size)));
    }
    return pages;
  }
}
