package dev.weir.workflow.rpc;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;

/** Names the container of a worker, and the application to which it belongs. */
public final class WorkerTokenIdentifier extends TokenIdentifier {

  static final Text KIND = new Text("WEIR_WORKER_TOKEN");

  private String application = "";
  private String container = "";

  /** Creates an empty identifier, which Hadoop then reads. */
  public WorkerTokenIdentifier() {}

  WorkerTokenIdentifier(String application, String container) {
    this.application = application;
    this.container = container;
  }

  String application() {
    return application;
  }

  String container() {
    return container;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeUTF(application);
    out.writeUTF(container);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    application = in.readUTF();
    container = in.readUTF();
  }

  @Override
  public Text getKind() {
    return KIND;
  }

  @Override
  public UserGroupInformation getUser() {
    return UserGroupInformation.createRemoteUser(container);
  }
}
