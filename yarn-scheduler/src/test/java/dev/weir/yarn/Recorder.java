package dev.weir.yarn;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceContext;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.jspecify.annotations.Nullable;

/** A processor that records requests and passes them on. */
final class Recorder implements ApplicationMasterServiceProcessor {

  final List<AllocateRequest> requests = new CopyOnWriteArrayList<>();

  /** Copies of the asks, because the scheduler changes the originals. */
  final List<List<ResourceRequest>> asks = new CopyOnWriteArrayList<>();

  /** The original asks. */
  final List<List<ResourceRequest>> live = new CopyOnWriteArrayList<>();

  private @Nullable ApplicationMasterServiceProcessor next;
  private volatile boolean stopped;

  /** Stops recording, because the records of a million heartbeats would fill the memory. */
  void stop() {
    stopped = true;
  }

  @Override
  public void init(
      ApplicationMasterServiceContext context, ApplicationMasterServiceProcessor nextProcessor) {
    next = nextProcessor;
  }

  @Override
  public void registerApplicationMaster(
      ApplicationAttemptId attempt,
      RegisterApplicationMasterRequest request,
      RegisterApplicationMasterResponse response)
      throws IOException, YarnException {
    next().registerApplicationMaster(attempt, request, response);
  }

  @Override
  public void allocate(
      ApplicationAttemptId attempt, AllocateRequest request, AllocateResponse response)
      throws YarnException {
    if (!stopped) {
      requests.add(request);
      live.add(List.copyOf(request.getAskList()));
      asks.add(request.getAskList().stream().map(ResourceRequest::clone).toList());
    }
    next().allocate(attempt, request, response);
  }

  @Override
  public void finishApplicationMaster(
      ApplicationAttemptId attempt,
      FinishApplicationMasterRequest request,
      FinishApplicationMasterResponse response) {
    next().finishApplicationMaster(attempt, request, response);
  }

  List<ResourceRequest> lastAsks() {
    return asks.get(asks.size() - 1);
  }

  private ApplicationMasterServiceProcessor next() {
    return Objects.requireNonNull(next);
  }
}
