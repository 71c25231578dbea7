package dev.weir.hdfs.placement;

import dev.weir.hints.UnfinishedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
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
    return order(null, scored(hash(group), sites), most);
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
    if (spread == 1 || sites.isEmpty()) {
      return of(group, sites, most);
    }
    int set = set(path, spread);
    S first = firsts(hash(group), sites, Math.min(spread, sites.size())).get(set % sites.size());
    List<S> others = new ArrayList<>(sites);
    others.remove(first);
    return order(first, scored(hash(group + "#" + set), others), most);
  }

  /** Which of so many sets a file belongs to. */
  static int set(String path, int spread) {
    return (int) Math.floorMod(hash(UnfinishedName.target(path)), (long) spread);
  }

  /**
   * Different sites for so many sets. Every site stands for one set, which a hash says; the one
   * with the highest score wins it. Sets that nobody stands for go to the best of those that won
   * none.
   */
  private static <S extends Site> List<S> firsts(long seed, Collection<S> sites, int sets) {
    List<@Nullable Scored<S>> winners = new ArrayList<>(Collections.nCopies(sets, null));
    List<Scored<S>> losers = new ArrayList<>();
    for (Scored<S> next : scored(seed, sites)) {
      int set = (int) Math.floorMod(mix(next.score() + 1), (long) sets);
      Scored<S> holder = winners.get(set);
      if (holder == null) {
        winners.set(set, next);
      } else if (Scored.<S>bestFirst().compare(next, holder) < 0) {
        winners.set(set, next);
        losers.add(holder);
      } else {
        losers.add(next);
      }
    }
    losers.sort(Scored.bestFirst());
    Iterator<Scored<S>> spare = losers.iterator();
    List<S> firsts = new ArrayList<>(sets);
    for (Scored<S> winner : winners) {
      firsts.add(winner == null ? spare.next().site() : winner.site());
    }
    return firsts;
  }

  private static <S extends Site> PriorityQueue<Scored<S>> scored(long seed, Collection<S> sites) {
    List<Scored<S>> scored = new ArrayList<>(sites.size());
    for (S site : sites) {
      scored.add(new Scored<>(score(seed, site), site));
    }
    PriorityQueue<Scored<S>> best = new PriorityQueue<>(scored.size() + 1, Scored.bestFirst());
    best.addAll(scored);
    return best;
  }

  private static <S extends Site> List<S> order(
      @Nullable S first, PriorityQueue<Scored<S>> best, int most) {
    List<S> anchors = new ArrayList<>();
    List<S> sameRack = new ArrayList<>();
    if (first != null) {
      anchors.add(first);
    }
    while (!best.isEmpty() && anchors.size() + sameRack.size() < most) {
      S next = best.remove().site();
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
      secondRack(best, anchors);
    }
    anchors.addAll(sameRack);
    return anchors.size() > most ? List.copyOf(anchors.subList(0, most)) : anchors;
  }

  /** The limit was reached among sites of one rack: look further for the second rack alone. */
  private static <S extends Site> void secondRack(PriorityQueue<Scored<S>> rest, List<S> anchors) {
    while (!rest.isEmpty()) {
      S next = rest.remove().site();
      if (!next.rack().equals(anchors.get(0).rack())) {
        anchors.add(next);
        return;
      }
    }
  }

  private static long score(long seed, Site site) {
    long identity = ((long) site.host().hashCode() << 32) | (site.port() & 0xffffffffL);
    return mix(seed ^ mix(identity));
  }

  private static long hash(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  /** Stafford's variant 13 of the finalizer of MurmurHash3: every bit depends on every bit. */
  private static long mix(long z) {
    long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
    return b ^ (b >>> 31);
  }

  private record Scored<S extends Site>(long score, S site) {

    static <S extends Site> Comparator<Scored<S>> bestFirst() {
      return Comparator.comparingLong((Scored<S> scored) -> scored.score())
          .reversed()
          .thenComparing(scored -> scored.site().host())
          .thenComparing(scored -> scored.site().port());
    }
  }
}
