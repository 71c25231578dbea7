package dev.weir.workflow.session;

import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.protocol.HeldAttempt;
import dev.weir.workflow.protocol.Message;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.rpc.Connection;
import dev.weir.workflow.rpc.WorkerRpcServer;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.yarn.AwaitedWorkers;
import dev.weir.workflow.yarn.WorkerUpkeep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes workers' messages to the dispatcher, the transfers and the containers. Thread-safe. */
final class WorkerEvents implements WorkerRpcServer.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(WorkerEvents.class);

  private final TransferCoordinator transfers;
  private final SessionController controller;
  private final Map<String, String> racks;
  private final Function<String, List<String>> files;
  private final WorkerUpkeep upkeep;
  private final Executor replacements;
  private final AwaitedWorkers reconnects;
  private final ConnectedWorkers connected;

  /**
   * Creates the listener of a session's workers.
   *
   * @param racks the rack of each node by host name
   * @param files the ids by which the dispatcher may know the file with a path
   * @param upkeep replaces lost workers
   * @param replacements runs replacements, which may wait for the dispatcher
   * @param reconnects notified of workers of earlier application attempts
   * @param connected holds the workers that are connected
   */
  WorkerEvents(
      TransferCoordinator transfers,
      SessionController controller,
      Map<String, String> racks,
      Function<String, List<String>> files,
      WorkerUpkeep upkeep,
      Executor replacements,
      AwaitedWorkers reconnects,
      ConnectedWorkers connected) {
    this.transfers = transfers;
    this.controller = controller;
    this.racks = racks;
    this.files = files;
    this.upkeep = upkeep;
    this.replacements = replacements;
    this.reconnects = reconnects;
    this.connected = connected;
  }

  @Override
  public void joined(String id, String node, String address, Connection connection) {
    WorkerInfo worker =
        new WorkerInfo(id, node, racks.getOrDefault(node, SessionServices.UNKNOWN_RACK));
    connected.add(id, connection);
    transfers.joined(worker, address, connection::send);
    upkeep.joined(id);
    controller.joined(worker, upkeep.dedication(id), connection);
  }

  @Override
  public void received(String worker, Message message) {
    if (message instanceof Message.Ended ended) {
      if (ended.report().result() == TaskReport.Result.SUCCEEDED) {
        upkeep.worked(worker);
      }
      controller.reported(worker, ended.report());
      reconnects.reported(worker);
    } else if (message instanceof Message.InHand hand) {
      controller.returned(worker, hand.attempts());
      // Last, because the runs resume after this and need the held attempts.
      reconnects.connected(worker, hand.attempts().stream().filter(HeldAttempt::ended).count());
    } else if (message instanceof Message.MayCommit question) {
      controller.mayCommit(worker, question.task(), question.attempt());
    } else if (message instanceof Message.Begun kept) {
      controller.begun(worker, kept.task(), kept.attempt());
    } else if (message instanceof Message.CacheNews news) {
      cacheChanged(worker, news);
    } else if (message instanceof Message.DiskShortage shortage) {
      controller.diskShortage(worker, shortage);
    } else if (message instanceof Message.MayWriteBack copy) {
      controller.mayWriteBack(worker, copy);
    } else if (message instanceof Message.WrittenBack written) {
      controller.writtenBack(worker, written);
    } else if (!transfers.handle(worker, message)) {
      LOG.warn("Unexpected message from {}: {}", worker, message.getClass().getSimpleName());
    }
  }

  @Override
  public void whenHandled(Runnable then) {
    controller.afterEvents(then);
  }

  private void cacheChanged(String worker, Message.CacheNews news) {
    Map<String, Long> kept = new HashMap<>();
    news.kept().forEach((path, bytes) -> files.apply(path).forEach(id -> kept.put(id, bytes)));
    List<String> gone = news.gone().stream().flatMap(path -> files.apply(path).stream()).toList();
    controller.cached(worker, kept, gone);
  }

  @Override
  public void lost(String worker, String reason) {
    connected.remove(worker);
    transfers.lost(worker);
    controller.lost(worker, reason);
    try {
      replacements.execute(() -> replace(worker, reason));
    } catch (RejectedExecutionException e) {
      LOG.debug("The session has ended", e);
    }
  }

  private void replace(String worker, String reason) {
    try {
      upkeep.replace(worker, reason);
    } catch (RuntimeException | Error e) {
      // Without replacements the session would stall; the next application attempt may succeed.
      // Abort before logging: there may be no memory left for the log line.
      controller.abort("cannot replace a lost worker: " + e, e);
      LOG.error("Cannot replace {}", worker, e);
    }
  }
}
