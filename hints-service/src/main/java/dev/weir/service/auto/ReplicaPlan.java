package dev.weir.service.auto;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The replicas that files get for a budget of bytes. The choice is that of MorphStore's
 * utility-driven replication: the copy with the highest utility for each of its bytes comes first,
 * until the budget is used or no copy has a positive utility.
 *
 * <p>The utility of a file's next copy decreases. So no choice for the same budget is better by
 * more than the first copy that did not fit, and none is better if all files have the same size.
 *
 * @param replicas the replicas of each file, in the order of the files
 * @param bytes of the copies beyond each file's minimum; at most the budget
 * @param price the highest preference of a copy that did not fit; 0 if all fitted
 */
public record ReplicaPlan(List<Integer> replicas, long bytes, double price) {

  /** A file's next copy. */
  private record Copy(int file, double preference) implements Comparable<Copy> {
    @Override
    public int compareTo(Copy other) {
      int order = Double.compare(other.preference, preference);
      return order == 0 ? Integer.compare(file, other.file) : order;
    }
  }

  /**
   * Chooses the replicas.
   *
   * @param budget the most bytes of copies beyond each file's minimum
   */
  public static ReplicaPlan of(List<AutoFile> files, long budget) {
    int[] replicas = new int[files.size()];
    PriorityQueue<Copy> next = new PriorityQueue<>();
    long smallest = Long.MAX_VALUE;
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = files.get(i).min();
      smallest = Math.min(smallest, files.get(i).bytes());
      offer(next, files.get(i), i, replicas[i]);
    }
    long used = 0;
    double price = 0;
    for (Copy copy = next.poll(); copy != null; copy = next.poll()) {
      AutoFile file = files.get(copy.file());
      if (file.bytes() > budget - used) {
        price = Math.max(price, copy.preference());
        if (smallest > budget - used) {
          break;
        }
        continue; // A smaller file may still fit.
      }
      used += file.bytes();
      offer(next, file, copy.file(), ++replicas[copy.file()]);
    }
    return new ReplicaPlan(Arrays.stream(replicas).boxed().toList(), used, price);
  }

  private static void offer(PriorityQueue<Copy> next, AutoFile file, int index, int replicas) {
    if (replicas < file.max() && file.preference(replicas) > 0) {
      next.add(new Copy(index, file.preference(replicas)));
    }
  }
}
