package dev.weir.yarn;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.ams.ApplicationMasterServiceProcessor;
import org.apache.hadoop.yarn.server.resourcemanager.ApplicationMasterService;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** An ApplicationMasterService with given processors and without a network. */
final class WithProcessors extends ApplicationMasterService {

  private final List<ApplicationMasterServiceProcessor> processors;

  WithProcessors(
      MockRM rm, ResourceScheduler scheduler, List<ApplicationMasterServiceProcessor> processors) {
    super(rm.getRMContext(), scheduler);
    this.processors = processors;
  }

  @Override
  protected List<ApplicationMasterServiceProcessor> getProcessorList(Configuration conf) {
    return new ArrayList<>(processors);
  }

  @Override
  protected void serviceStart() {
    // No network.
  }

  @Override
  protected void serviceStop() {
    // No network.
  }
}
