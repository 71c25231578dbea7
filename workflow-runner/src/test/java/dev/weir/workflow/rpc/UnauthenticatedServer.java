package dev.weir.workflow.rpc;

import java.security.SecureRandom;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.jspecify.annotations.Nullable;

/** Answers each call of a worker without knowing a password. */
final class UnauthenticatedServer implements BlockingService {

  private static final int ANSWER_BYTES = 120;

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return WorkerService.DESCRIPTOR;
  }

  @Override
  public Message callBlockingMethod(
      MethodDescriptor method, @Nullable RpcController unused, Message request) {
    byte[] answer = new byte[ANSWER_BYTES];
    new SecureRandom().nextBytes(answer);
    return BytesValue.newBuilder().setValue(ByteString.copyFrom(answer)).build();
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return BytesValue.getDefaultInstance();
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return BytesValue.getDefaultInstance();
  }
}
