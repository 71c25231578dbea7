package dev.weir.bench.morph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * How files are stored and read.
 *
 * @param kind the policy
 * @param budget the most stored bytes, divided by those of one replica of each file; 0 if the
 *     policy has none
 */
record MorphSetup(Kind kind, double budget) {

  /** Who decides the number of replicas. */
  enum Replicas {
    /** All files have the same. */
    FIXED,
    /** The known popularity alone. */
    POPULARITY,
    /** The service, by the accesses that the NameNode has counted. */
    COUNTED,
    /** As the service would with the known popularity. */
    KNOWN
  }

  /** A policy. */
  enum Kind {
    JBOD("jbod", Replicas.FIXED, 1, false),
    MIRROR_2("mirror-2", Replicas.FIXED, 2, false),
    MIRROR_3("mirror-3", Replicas.FIXED, 3, false),
    MIRROR_4("mirror-4", Replicas.FIXED, 4, false),
    /** Small blocks. */
    STRIPE("stripe", Replicas.FIXED, 1, false),
    SCARLETT("scarlett", Replicas.POPULARITY, 1, false),
    WEIR_LAAS("weir-laas", Replicas.FIXED, 4, true),
    WEIR_UDR("weir-udr", Replicas.COUNTED, 1, false),
    WEIR("weir", Replicas.COUNTED, 1, true),
    IDEAL("ideal", Replicas.KNOWN, 1, true);

    private final String label;
    private final Replicas replicas;
    private final int least;
    private final boolean readsStriped;

    Kind(String label, Replicas replicas, int least, boolean readsStriped) {
      this.label = label;
      this.replicas = replicas;
      this.least = least;
      this.readsStriped = readsStriped;
    }

    String label() {
      return label;
    }

    Replicas replicas() {
      return replicas;
    }

    /** Returns the replicas that each file has at least. */
    int least() {
      return least;
    }

    /** Returns whether a file is read from several replicas at once. */
    boolean readsStriped() {
      return readsStriped;
    }
  }

  /** Returns the label in tables, such as {@code weir-1.6}. */
  String label() {
    return budget == 0 ? kind.label() : kind.label() + "-" + budget;
  }

  /**
   * Returns the setups of a workload.
   *
   * @param kinds the labels of their kinds
   * @param budgets for the kinds that have one
   * @param nodes limits the replicas
   * @throws IllegalArgumentException if a label is unknown, or a kind needs more nodes
   */
  static List<MorphSetup> of(List<String> kinds, List<Double> budgets, int nodes) {
    List<MorphSetup> setups = new ArrayList<>();
    for (String label : kinds) {
      Kind kind = kind(label);
      if (kind.least > nodes) {
        throw new IllegalArgumentException(
            label + " makes " + kind.least + " replicas, and there are " + nodes + " nodes");
      }
      (kind.replicas == Replicas.FIXED ? List.of(0.0) : budgets)
          .forEach(budget -> setups.add(new MorphSetup(kind, budget)));
    }
    return setups;
  }

  /**
   * Returns the setup with a label of a table.
   *
   * @throws IllegalArgumentException if there is none
   */
  static MorphSetup ofLabel(String label) {
    if (labels().contains(label)) {
      return new MorphSetup(kind(label), 0);
    }
    int dash = label.lastIndexOf('-');
    return new MorphSetup(
        kind(label.substring(0, Math.max(0, dash))), Double.parseDouble(label.substring(dash + 1)));
  }

  private static Kind kind(String label) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no setup '" + label + "': write some of " + String.join(",", labels())));
  }

  static List<String> labels() {
    return Arrays.stream(Kind.values()).map(Kind::label).toList();
  }

  /** Returns the replicas with which files are written. */
  List<Integer> replicas(AccessPattern pattern, int nodes) {
    return switch (kind.replicas) {
      case FIXED, COUNTED -> Collections.nCopies(pattern.files(), kind.least);
      case POPULARITY -> KnownReplicas.byPopularity(pattern, budget, nodes);
      case KNOWN -> KnownReplicas.byUtility(pattern, budget, nodes);
    };
  }
}
