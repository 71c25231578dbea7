package dev.weir.yarn;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.impl.pb.AllocateRequestPBImpl;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.impl.AMRMClientImpl;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.util.Records;

/** Hadoop's own ApplicationMaster client, connected to a ResourceManager without a network. */
final class LocalAmRmClient extends AMRMClientImpl<ContainerRequest> {

  private final Wire wire;

  LocalAmRmClient(MockAM am) {
    wire = new Wire(am);
    rmClient = wire;
  }

  /** Answers the next heartbeat as a restarted ResourceManager does. */
  void forgetRegistration() {
    wire.forgotten = true;
  }

  private static final class Wire implements ApplicationMasterProtocol, Closeable {

    private final MockAM am;
    private boolean forgotten;

    Wire(MockAM am) {
      this.am = am;
    }

    @Override
    public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
      if (forgotten) {
        forgotten = false;
        throw new ApplicationMasterNotRegisteredException("restarted");
      }
      try {
        // Copied, so that nothing is shared with the client, as over a network.
        return am.allocate(new AllocateRequestPBImpl(((AllocateRequestPBImpl) request).getProto()));
      } catch (YarnException | IOException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
        RegisterApplicationMasterRequest request) {
      return Records.newRecord(RegisterApplicationMasterResponse.class);
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(
        FinishApplicationMasterRequest request) {
      return FinishApplicationMasterResponse.newInstance(true);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
