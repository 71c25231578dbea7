package dev.weir.bench.series;

import dev.weir.workflow.run.Mode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How a workflow is run.
 *
 * @param label what tables call it
 * @param mode how much is made of what is known about the data
 * @param replication replicas of the inputs and of what the workflow writes without a hint
 * @param copies replicas that a hint in the workflow asks for of a file that many read; 0 for what
 *     the runner chooses
 */
public record Setup(String label, Mode mode, int replication, int copies) {
  /** Stock HDFS with three replicas, tasks first come first served. */
  public static final Setup STOCK_R3 = new Setup("stock-r3", Mode.STOCK, 3, 0);

  /** Stock HDFS with one replica. */
  public static final Setup STOCK_R1 = new Setup("stock-r1", Mode.STOCK, 1, 0);

  /** Stock HDFS with three replicas, tasks where their bytes are. */
  public static final Setup DISPATCH_R3 = new Setup("dispatch-r3", Mode.LOCALITY, 3, 0);

  /** The same with one replica. */
  public static final Setup DISPATCH_R1 = new Setup("dispatch-r1", Mode.LOCALITY, 1, 0);

  /** Everything on; three replicas of what has no hint. */
  public static final Setup WEIR = new Setup("weir", Mode.WEIR, 3, 0);

  /** All of them, in the order of tables. */
  public static final List<Setup> ALL = List.of(STOCK_R3, STOCK_R1, DISPATCH_R3, DISPATCH_R1, WEIR);

  /** The order of tables: by how many copies they are told to make, then those of {@link #ALL}. */
  public static final Comparator<Setup> ORDER =
      Comparator.<Setup>comparingInt(ALL::indexOf).thenComparingInt(Setup::copies);

  private static final String COPIES = "copies-";

  /** Weir, told how many replicas to make of the file that is broadcast. */
  public static Setup withCopies(int number) {
    return new Setup(COPIES + number, Mode.WEIR, WEIR.replication, number);
  }

  /**
   * The setup of that name, with hyphens or underscores.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Setup parse(String text) {
    String label = text.strip().toLowerCase(Locale.ROOT).replace('_', '-');
    return ALL.stream()
        .filter(setup -> setup.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no setup '"
                        + text
                        + "': write some of "
                        + String.join(",", ALL.stream().map(Setup::label).toList())));
  }

  /**
   * The setup that a table has under a label: one of {@link #ALL}, or one of {@link #withCopies}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static Setup ofLabel(String label) {
    return label.matches(COPIES + "[1-9][0-9]{0,3}")
        ? withCopies(Integer.parseInt(label.substring(COPIES.length())))
        : parse(label);
  }

  /**
   * Checks that each can have its replicas: HDFS would look for room for more than there are nodes,
   * and never come to rest.
   *
   * @param nodes how many nodes there are
   * @throws SeriesException when one cannot; the message says what to do
   */
  public static void requireNodes(Collection<Setup> setups, int nodes) throws SeriesException {
    for (Setup setup : setups) {
      int replicas = Math.max(setup.replication, setup.copies);
      if (replicas > nodes) {
        throw new SeriesException(
            setup.label
                + " makes "
                + replicas
                + " replicas, and there are "
                + nodes
                + " nodes: leave it out, or give more with --nodes");
      }
    }
  }

  /** Reads setups from the command line. */
  public static final class Converter implements ITypeConverter<Setup> {
    /** For picocli. */
    public Converter() {}

    @Override
    public Setup convert(String value) {
      try {
        return parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Whether data and tasks go where they would without Weir. */
  public boolean isStock() {
    return mode == Mode.STOCK;
  }
}
