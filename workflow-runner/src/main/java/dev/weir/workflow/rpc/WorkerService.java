package dev.weir.workflow.rpc;

import dev.weir.workflow.protocol.Secret;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.BytesValue;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FileDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.WrappersProto;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;

/**
 * Answers the calls of {@link WorkerProtocol}. The descriptor is built here from protobuf's own
 * type for bytes, so that the build needs no protobuf compiler.
 */
final class WorkerService implements BlockingService {

  static final String JOIN = "join";
  static final String POLL = "poll";
  static final String TELL = "tell";
  static final String LEAVE = "leave";

  static final ServiceDescriptor DESCRIPTOR = descriptor();

  private final WorkerRpcServer server;
  private final WorkerTokenSecretManager tokens;

  WorkerService(WorkerRpcServer server, WorkerTokenSecretManager tokens) {
    this.server = server;
    this.tokens = tokens;
  }

  private static ServiceDescriptor descriptor() {
    ServiceDescriptorProto.Builder service =
        ServiceDescriptorProto.newBuilder().setName(WorkerProtocol.class.getSimpleName());
    String type = "." + BytesValue.getDescriptor().getFullName();
    for (String method : new String[] {JOIN, POLL, TELL, LEAVE}) {
      service.addMethod(
          MethodDescriptorProto.newBuilder()
              .setName(method)
              .setInputType(type)
              .setOutputType(type));
    }
    FileDescriptor wrappers = WrappersProto.getDescriptor();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("weir-worker.proto")
            .addDependency(wrappers.getName())
            .addService(service)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {wrappers}).getServices().get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return DESCRIPTOR;
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return BytesValue.getDefaultInstance();
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return BytesValue.getDefaultInstance();
  }

  /** Returns null for a call that is answered later. */
  @Override
  public @Nullable Message callBlockingMethod(
      MethodDescriptor method, @Nullable RpcController unused, Message message)
      throws ServiceException {
    try {
      ByteString request = ((BytesValue) message).getValue();
      WorkerTokenIdentifier caller = caller();
      Signer signer = new Signer(request, tokens.signer(caller));
      DataInputStream in = new DataInputStream(request.newInput());
      in.readLong();
      String worker = caller.container();
      long id = in.readLong();
      return switch (method.getName()) {
        case JOIN -> join(server.join(worker, id, in.readUTF(), address()), signer);
        case POLL -> {
          WorkerChannel channel = server.channel(worker, id);
          long acknowledged = in.readLong();
          yield later(signer, answer -> channel.poll(acknowledged, answer));
        }
        case TELL -> {
          WorkerChannel channel = server.channel(worker, id);
          long acknowledged = in.readLong();
          Batch sent = Batch.read(in);
          yield later(signer, answer -> channel.tell(acknowledged, sent, answer));
        }
        case LEAVE -> {
          server.channel(worker, id).end("it has left");
          yield signer.answer(out -> {});
        }
        default -> throw new IOException("There is no method " + method.getName());
      };
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private Message join(WorkerChannel channel, Signer signer) throws IOException {
    return signer.answer(
        out -> {
          out.writeLong(channel.epoch());
          server.cacheSecurity().write(out);
        });
  }

  /** Begins a call that is answered later, once. */
  private static @Nullable Message later(
      Signer signer, ConsumerRaisingIOE<WorkerChannel.Reply> call) {
    ProtobufRpcEngineCallback2 callback = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    long began = System.nanoTime();
    try {
      call.accept(
          (received, batch) -> {
            try {
              callback.setResponse(
                  signer.answer(
                      out -> {
                        long waited = System.nanoTime() - began;
                        out.writeLong(received);
                        out.writeLong(TimeUnit.NANOSECONDS.toMillis(waited));
                        batch.write(out);
                      }));
            } catch (IOException | RuntimeException | Error e) {
              callback.error(e);
            }
          });
    } catch (IOException | RuntimeException | Error e) {
      // Not rethrown: the callback would stay with this thread and be used for the next call.
      callback.error(e);
    }
    return null;
  }

  private static WorkerTokenIdentifier caller() throws IOException {
    UserGroupInformation user = Server.getRemoteUser();
    for (TokenIdentifier identifier : user.getTokenIdentifiers()) {
      if (identifier instanceof WorkerTokenIdentifier worker) {
        return worker;
      }
    }
    throw new AccessControlException(user + " has no token of a worker");
  }

  private static String address() throws AccessControlException {
    InetAddress address = Server.getRemoteIp();
    if (address == null) {
      throw new AccessControlException("The caller's address is not known");
    }
    return address.getHostAddress();
  }

  private record Signer(ByteString request, Secret password) {

    BytesValue answer(ConsumerRaisingIOE<DataOutputStream> answer) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      answer.accept(new DataOutputStream(bytes));
      byte[] body = bytes.toByteArray();
      ByteString signature = ByteString.copyFrom(password.sign(request.toByteArray(), body));
      return BytesValue.newBuilder().setValue(signature.concat(ByteString.copyFrom(body))).build();
    }
  }
}
