package dev.weir.hdfs.placement;

import dev.weir.hints.UnfinishedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The DataNodes that the files of a group go to: rendezvous hashing, so that every NameNode finds
 * the same ones with nothing stored, and a DataNode that comes or goes moves only its own groups.
 *
 * <p>The first anchor is the site with the highest score; the second is the best one on another
 * rack, if there is one, so that the replicas of a file can lie on two racks as HDFS wants it; from
 * then on the order is that of the scores. The scores depend on host, port and group alone.
 */
public final class Anchors {
  private Anchors() {}

  /**
   * The anchors of a group.
   *
   * @param group the name of the group
   * @param sites the DataNodes there are, in any order
   * @param most how many to give at most
   * @return the best first, each once
   */
  public static <S extends Site> List<S> of(String group, Collection<S> sites, int most) {
    return of(group, Sites.of(sites), most);
  }

  /** The same for sites that are asked about more than once. */
  static <S extends Site> List<S> of(String group, Sites<S> sites, int most) {
    return choose(null, new SiteOrder<>(StableHash.of(group), sites), most);
  }

  /**
   * The anchors of one file of a group that is spread over several sets of anchors, because it is
   * too big for one. The file's name alone says which set is its own. The first anchors of the sets
   * are different nodes as long as there are enough; one that is lost moves its own set, and seldom
   * others.
   *
   * @param group the name of the group
   * @param spread how many sets there are, at least 1; one is as {@link #of}
   * @param path the file's path, also while it has the name of an unfinished file
   * @param sites the DataNodes there are, in any order
   * @param most how many to give at most
   * @return the best first, each once
   */
  public static <S extends Site> List<S> ofFile(
      String group, int spread, String path, Collection<S> sites, int most) {
    return ofFile(group, spread, path, Sites.of(sites), most);
  }

  /** The same for sites that are asked about more than once. */
  static <S extends Site> List<S> ofFile(
      String group, int spread, String path, Sites<S> sites, int most) {
    if (spread == 1 || sites.size() == 0) {
      return of(group, sites, most);
    }
    int set = set(path, spread);
    int[] firsts = sites.firsts(StableHash.of(group), Math.min(spread, sites.size()));
    S first = sites.get(firsts[set % sites.size()]);
    return choose(first, new SiteOrder<>(StableHash.of(group + "#" + set), sites), most);
  }

  /** Which of so many sets a file belongs to. */
  static int set(String path, int spread) {
    return (int) Math.floorMod(StableHash.of(UnfinishedName.target(path)), (long) spread);
  }

  private static <S extends Site> List<S> choose(@Nullable S first, SiteOrder<S> order, int most) {
    List<S> anchors = new ArrayList<>(Math.min(most, order.size()) + 1);
    List<S> sameRack = new ArrayList<>(0);
    if (first != null) {
      anchors.add(first);
    }
    int place = 0;
    for (; place < order.size() && anchors.size() + sameRack.size() < most; place++) {
      S next = order.get(place);
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
      secondRack(order, place, anchors);
    }
    anchors.addAll(sameRack);
    return anchors.size() > most ? List.copyOf(anchors.subList(0, most)) : anchors;
  }

  /** The limit was reached among sites of one rack: look further for the second rack alone. */
  private static <S extends Site> void secondRack(SiteOrder<S> order, int begin, List<S> anchors) {
    for (int place = begin; place < order.size(); place++) {
      S next = order.get(place);
      if (!next.rack().equals(anchors.get(0).rack())) {
        anchors.add(next);
        return;
      }
    }
  }
}
