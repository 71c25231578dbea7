package dev.weir.bench;

import dev.weir.hints.HintSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;

/** Writes the sets of a number of runs, each of a hundred rules, to a ZooKeeper. */
public final class HintSetWriter {
  private HintSetWriter() {}

  /** Writes the sets. The arguments are the quorum and the number of runs. */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (HintStore store = ZooKeeperHintStore.open(new HintSettings(args[0], "/weir"))) {
      for (int run = 0; run < Integer.parseInt(args[1]); run++) {
        store.put(RunHintSets.run(run));
      }
    }
  }
}
