package dev.weir.workflow.worker;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/** A client's connection to a NameNode of which somebody hears. */
public final class HeardNameNode {

  private HeardNameNode() {}

  /** The connection; each call's name is told before it is made, in the thread that makes it. */
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
