package dev.weir.bench.series;

import dev.weir.workflow.staging.IntermediateStore;
import dev.weir.workflow.staging.Mode;
import dev.weir.workflow.staging.RetentionPolicy;
import dev.weir.workflow.staging.RunOptions;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The setup of a workflow run.
 *
 * @param label the label in tables
 * @param mode how much the run uses of Weir
 * @param replication of the inputs and of outputs without a hint
 * @param choices where intermediate files go, and which are kept
 */
public record Setup(String label, Mode mode, int replication, RunOptions choices) {
  /** Stock HDFS with three replicas; tasks are dispatched in order of arrival. */
  public static final Setup STOCK_R3 = new Setup("stock-r3", Mode.STOCK, 3, RunOptions.DEFAULT);

  /** Stock HDFS with one replica; tasks are dispatched in order of arrival. */
  public static final Setup STOCK_R1 = new Setup("stock-r1", Mode.STOCK, 1, RunOptions.DEFAULT);

  /** Stock HDFS with three replicas; tasks are dispatched to the nodes with their inputs. */
  public static final Setup DISPATCH_R3 =
      new Setup("dispatch-r3", Mode.LOCALITY, 3, RunOptions.DEFAULT);

  /** Stock HDFS with one replica; tasks are dispatched to the nodes with their inputs. */
  public static final Setup DISPATCH_R1 =
      new Setup("dispatch-r1", Mode.LOCALITY, 1, RunOptions.DEFAULT);

  /** All of Weir; files without a hint have three replicas. */
  public static final Setup WEIR = new Setup("weir", Mode.WEIR, 3, RunOptions.DEFAULT);

  /** As {@link #WEIR} with one replica, to compare with {@link #STOCK_R1}. */
  public static final Setup WEIR_R1 = new Setup("weir-r1", Mode.WEIR, 1, RunOptions.DEFAULT);

  /** All of Weir; intermediate files go to HDFS at once. */
  public static final Setup WEIR_HDFS =
      new Setup("weir-hdfs", Mode.WEIR, 3, RunOptions.DEFAULT.with(IntermediateStore.HDFS));

  /** As {@link #WEIR}; the run deletes its intermediate files. */
  public static final Setup WEIR_NONE =
      new Setup("weir-none", Mode.WEIR, 3, RunOptions.DEFAULT.withKeep(RetentionPolicy.NONE));

  /** A directory on one server that all nodes mount, and a dispatcher of the benchmark. */
  public static final Setup SHARED = foreign("shared");

  /** Confuga; the head node pushes all files to the nodes of jobs. */
  public static final Setup CONFUGA_PUSH = foreign("confuga-push");

  /** Confuga; jobs pull files below a threshold, and the head node pushes larger ones. */
  public static final Setup CONFUGA_THRESHOLD = foreign("confuga-threshold");

  /** Confuga; jobs pull all files. */
  public static final Setup CONFUGA_PULL = foreign("confuga-pull");

  /** An S3 server, from which and to which tasks copy their files, one after another. */
  public static final Setup OBJECT_STORE = foreign("object-store");

  /** As {@link #OBJECT_STORE} with five transfers at a time for each task. */
  public static final Setup OBJECT_STORE_5 = foreign("object-store-5");

  /** As {@link #OBJECT_STORE} with an SFTP server. */
  public static final Setup SUBMIT_HOST = foreign("submit-host");

  /** As {@link #SUBMIT_HOST} with five transfers at a time for each task. */
  public static final Setup SUBMIT_HOST_5 = foreign("submit-host-5");

  /** The setups with a server outside, from which and to which tasks copy their files. */
  public static final List<Setup> STAGED =
      List.of(OBJECT_STORE, OBJECT_STORE_5, SUBMIT_HOST, SUBMIT_HOST_5);

  /** The setups with Confuga. */
  public static final List<Setup> CONFUGA = List.of(CONFUGA_PUSH, CONFUGA_THRESHOLD, CONFUGA_PULL);

  /** Setups without Hadoop. Not part of {@link #ALL}, because only some experiments offer them. */
  public static final List<Setup> FOREIGN =
      Stream.of(List.of(SHARED), CONFUGA, STAGED).flatMap(List::stream).toList();

  /** The labels of {@link #ALL}, for the help of options. */
  public static final String LABELS =
      "stock-r3, stock-r1, dispatch-r3, dispatch-r1, weir, weir-r1, weir-hdfs, weir-none";

  /** All setups, in the order of tables. */
  public static final List<Setup> ALL =
      List.of(STOCK_R3, STOCK_R1, DISPATCH_R3, DISPATCH_R1, WEIR, WEIR_R1, WEIR_HDFS, WEIR_NONE);

  /** The order of tables, in which those without Hadoop come first. */
  public static final Comparator<Setup> ORDER =
      Comparator.<Setup>comparingInt(ALL::indexOf).thenComparingInt(FOREIGN::indexOf);

  /**
   * Parses one of {@link #ALL}, with hyphens or underscores.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  public static Setup parse(String text) {
    return parse(text, List.of());
  }

  /**
   * Parses one of {@link #ALL} or of the other setups that an experiment offers, with hyphens or
   * underscores.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  public static Setup parse(String text, List<Setup> others) {
    String label = text.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    List<Setup> offered = Stream.concat(others.stream(), ALL.stream()).toList();
    return offered.stream()
        .filter(setup -> setup.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no setup '"
                        + text
                        + "': write some of "
                        + String.join(",", offered.stream().map(Setup::label).toList())));
  }

  private static Setup foreign(String label) {
    return new Setup(label, Mode.STOCK, 1, RunOptions.DEFAULT);
  }

  /**
   * Returns the setup with a label of a table: one of {@link #ALL} or {@link #FOREIGN}.
   *
   * @throws IllegalArgumentException if it is unknown
   */
  public static Setup ofLabel(String label) {
    return parse(label, FOREIGN);
  }

  /**
   * Checks that the nodes suffice for the replicas. Otherwise HDFS would never find room for them
   * and never become idle.
   *
   * @param nodes the number of nodes
   * @throws SeriesException if a setup needs more; the message says what to do
   */
  public static void requireNodes(Collection<Setup> setups, int nodes) throws SeriesException {
    for (Setup setup : setups) {
      if (setup.replication > nodes) {
        throw new SeriesException(
            setup.label
                + " makes "
                + setup.replication
                + " replicas, and there are "
                + nodes
                + " nodes: leave it out, or give more with --nodes");
      }
    }
  }

  /** Parses setups of the command line. */
  public static final class Converter implements ITypeConverter<Setup> {
    @Override
    public Setup convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Returns whether it is Hadoop, and Weir influences neither placement nor dispatch. */
  public boolean isStock() {
    return mode == Mode.STOCK && !isForeign();
  }

  /** Returns whether a system other than Hadoop runs the workflow. */
  public boolean isForeign() {
    return FOREIGN.contains(this);
  }
}
