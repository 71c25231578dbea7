package dev.weir.workflow.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/** Observes the calls of a client to its NameNode. */
public final class ObservedNameNode {

  private ObservedNameNode() {}

  /**
   * Returns a connection that passes the name of each call to the consumer before the call, in the
   * calling thread.
   */
  public static ClientProtocol of(ClientProtocol nameNode, Consumer<String> calls) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            (proxy, method, arguments) -> {
              calls.accept(method.getName());
              try {
                return method.invoke(nameNode, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }
}
