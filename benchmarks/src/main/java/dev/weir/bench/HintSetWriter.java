package dev.weir.bench;

import dev.weir.hints.HintSettings;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.ZooKeeperHintStore;
import java.io.IOException;

/** Puts the sets of so many runs, each of a hundred rules, into a ZooKeeper. */
public final class HintSetWriter {
  private HintSetWriter() {}

  /** The arguments are the quorum and the number of runs. */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (HintStore store = ZooKeeperHintStore.open(new HintSettings(args[0], "/weir"))) {
      for (int run = 0; run < Integer.parseInt(args[1]); run++) {
        store.put(RunHintSets.run(run, true));
      }
    }
  }
}
