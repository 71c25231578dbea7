package dev.weir.workflow.worker;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.worker.DataStore.Fetched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Brings the inputs of an attempt into its sandbox, several at a time. */
final class StageIn {

  private final DataStore store;
  private final ExecutorService pool;

  StageIn(DataStore store, ExecutorService pool) {
    this.store = store;
    this.pool = pool;
  }

  /**
   * What came of it.
   *
   * @param fetched what was moved
   * @param lost ids of inputs that the store has lost
   */
  record Result(Fetched fetched, List<String> lost) {}

  /**
   * Fetches all inputs.
   *
   * @throws IOException when one cannot be fetched for another reason than being lost
   */
  Result run(List<FileSlot> inputs, Sandbox sandbox) throws IOException, InterruptedException {
    Map<FileSlot, Future<Fetched>> transfers = new LinkedHashMap<>();
    for (FileSlot input : inputs) {
      Path target = sandbox.fileToCreate(input.name());
      transfers.put(input, pool.submit(() -> store.fetch(input.path(), target)));
    }
    try {
      return await(transfers);
    } catch (IOException | InterruptedException e) {
      transfers.values().forEach(other -> other.cancel(true));
      throw e;
    }
  }

  private static Result await(Map<FileSlot, Future<Fetched>> transfers)
      throws IOException, InterruptedException {
    Fetched sum = Fetched.NOTHING;
    List<String> lost = new ArrayList<>();
    for (Map.Entry<FileSlot, Future<Fetched>> transfer : transfers.entrySet()) {
      try {
        sum = sum.plus(await(transfer.getValue()));
      } catch (InputLostException e) {
        lost.add(transfer.getKey().name());
      } catch (IOException e) {
        throw new IOException(
            "cannot read the input " + transfer.getKey().path() + ": " + e.getMessage(), e);
      }
    }
    return new Result(sum, lost);
  }

  static <T> T await(Future<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException problem) {
        throw problem;
      }
      throw new IOException(e.getCause() == null ? e : e.getCause());
    }
  }
}
