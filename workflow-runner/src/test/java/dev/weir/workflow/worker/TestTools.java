package dev.weir.workflow.worker;

import java.util.concurrent.ExecutorService;

/** What runners and stores in tests are made with that need not ask when they may move files. */
final class TestTools {

  /** For those that ask nobody. */
  static final TransferTurns AT_ONCE =
      new TransferTurns() {
        @Override
        public boolean concerns(long bytes) {
          return false;
        }

        @Override
        public Turn take(Want want, Holders holders) {
          return new Turn("", null, (whole, fromCache) -> {});
        }
      };

  private static final long LARGE_BYTES = 64 << 20;

  private TestTools() {}

  /** One pool makes all transfers. */
  static TaskRunner.Tools of(ExecutorService pool, CommandShells shells) {
    return of(new Transfers(pool, pool, pool, LARGE_BYTES), shells);
  }

  static TaskRunner.Tools of(Transfers transfers, CommandShells shells) {
    return new TaskRunner.Tools(transfers, shells, System::nanoTime, AT_ONCE);
  }
}
