package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Message;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.jspecify.annotations.Nullable;

/**
 * The protocol between a worker and the ApplicationMaster. {@link WorkerService} defines the bytes:
 * a request begins with a unique number, an answer with a signature of request and answer by the
 * worker's password. Without Kerberos, Hadoop's client accepts a server that skips authentication:
 * only the signature then proves the ApplicationMaster's identity.
 */
@ProtocolInfo(
    protocolName = "dev.weir.workflow.rpc.WorkerProtocol",
    protocolVersion = Message.VERSION)
@TokenInfo(WorkerTokenSelector.class)
interface WorkerProtocol {

  /** Opens the session of a worker process, or returns its open one. */
  BytesValue join(@Nullable RpcController unused, BytesValue call) throws ServiceException;

  /** Acknowledges messages and waits for more, for a limited time. */
  BytesValue poll(@Nullable RpcController unused, BytesValue call) throws ServiceException;

  /** Delivers messages; the answer has those that they caused, such as the next order. */
  BytesValue tell(@Nullable RpcController unused, BytesValue call) throws ServiceException;

  /** Ends the session. */
  BytesValue leave(@Nullable RpcController unused, BytesValue call) throws ServiceException;
}
