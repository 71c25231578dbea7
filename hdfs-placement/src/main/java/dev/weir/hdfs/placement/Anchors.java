package dev.weir.hdfs.placement;

import dev.weir.hints.UnfinishedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the DataNodes of a group's files by rendezvous hashing. Every NameNode finds the same
 * ones without stored state, and a DataNode that joins or leaves moves only its own groups.
 *
 * <p>The first anchor is the site with the highest score. The second is the best one on another
 * rack, if there is one, because HDFS wants a file's replicas on two racks. The others follow by
 * score. Scores depend only on host, port and group.
 */
public final class Anchors {
  private Anchors() {}

  /**
   * The anchors of a group.
   *
   * @param group the name of the group
   * @param sites the DataNodes, in any order
   * @param max the most anchors to return
   * @return distinct sites, best first
   */
  public static <S extends Site> List<S> of(String group, Collection<S> sites, int max) {
    return of(group, Sites.of(sites), max);
  }

  /** The anchors of a group among indexed sites. */
  static <S extends Site> List<S> of(String group, Sites<S> sites, int max) {
    return choose(null, new SiteOrder<>(StableHash.of(group), sites), max);
  }

  /**
   * The anchors of one file of a group that is spread over several sets of anchors because it is
   * too large for one. The file's name alone determines its set. The first anchors of the sets are
   * different nodes as long as there are enough nodes. A lost node moves its own set, and seldom
   * others.
   *
   * @param group the name of the group
   * @param spread the number of sets, at least 1; with 1 this is the same as {@link #of}
   * @param path the file's path; that of an unfinished file counts as its target's
   * @param sites the DataNodes, in any order
   * @param max the most anchors to return
   * @return distinct sites, best first
   */
  public static <S extends Site> List<S> ofFile(
      String group, int spread, String path, Collection<S> sites, int max) {
    return ofFile(group, spread, path, Sites.of(sites), max);
  }

  /** The anchors of one file among indexed sites. */
  static <S extends Site> List<S> ofFile(
      String group, int spread, String path, Sites<S> sites, int max) {
    if (spread == 1 || sites.size() == 0) {
      return of(group, sites, max);
    }
    int set = set(path, spread);
    int[] firsts = sites.firsts(StableHash.of(group), Math.min(spread, sites.size()));
    S first = sites.get(firsts[set % sites.size()]);
    return choose(first, new SiteOrder<>(StableHash.of(group + "#" + set), sites), max);
  }

  static int set(String path, int spread) {
    return (int) Math.floorMod(StableHash.of(UnfinishedName.target(path)), (long) spread);
  }

  private static <S extends Site> List<S> choose(@Nullable S first, SiteOrder<S> order, int max) {
    List<S> anchors = new ArrayList<>(Math.min(max, order.size()) + 1);
    List<S> sameRack = new ArrayList<>(0);
    if (first != null) {
      anchors.add(first);
    }
    int position = 0;
    for (; position < order.size() && anchors.size() + sameRack.size() < max; position++) {
      S next = order.get(position);
      if (next.equals(first)) {
        continue;
      }
      if (anchors.size() == 1 && next.rack().equals(anchors.get(0).rack())) {
        sameRack.add(next);
      } else {
        anchors.add(next);
        if (anchors.size() == 2) {
          anchors.addAll(sameRack);
          sameRack.clear();
        }
      }
    }
    if (anchors.size() == 1) {
      secondRack(order, position, anchors);
    }
    anchors.addAll(sameRack);
    return anchors.size() > max ? List.copyOf(anchors.subList(0, max)) : anchors;
  }

  /**
   * The limit was reached with sites of one rack, so only the best site of another rack is still
   * needed.
   */
  private static <S extends Site> void secondRack(SiteOrder<S> order, int from, List<S> anchors) {
    for (int position = from; position < order.size(); position++) {
      S next = order.get(position);
      if (!next.rack().equals(anchors.get(0).rack())) {
        anchors.add(next);
        return;
      }
    }
  }
}
