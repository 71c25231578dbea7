package dev.weir.workflow.hdfs;

import dev.weir.workflow.text.ErrorMessages;
import java.io.EOFException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;

/** Recognises temporary outages of HDFS, after which a retry may succeed. */
public final class HdfsOutages {

  /** How Hadoop's messages about failed calls begin, including those to an unresolvable name. */
  private static final Pattern CALL =
      Pattern.compile("^(Call From |DestHost:destPort |No Route to Host from |End of File Exc)");

  /** Exceptions of a NameNode that is becoming active, or no longer is. */
  private static final Set<String> INACTIVE =
      Set.of(StandbyException.class.getName(), RetriableException.class.getName());

  private HdfsOutages() {}

  /**
   * Returns whether a failure is due to an outage.
   *
   * @return whether HDFS is in safe mode or its NameNode is unavailable
   */
  public static boolean isOutage(Throwable problem) {
    return isSafeMode(problem) || isUnavailable(problem);
  }

  /** Returns whether a failure is due to safe mode. */
  public static boolean isSafeMode(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(HdfsOutages::isSafeModeException);
  }

  /**
   * Returns whether a failure is due to an unavailable NameNode, which did not answer or was not
   * active. Failed connections to DataNodes do not count: HDFS's client fails over.
   */
  public static boolean isUnavailable(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(HdfsOutages::isUnavailableException);
  }

  private static boolean isUnavailableException(Throwable problem) {
    if (problem instanceof RemoteException remote) {
      return INACTIVE.contains(remote.getClassName());
    }
    return problem instanceof StandbyException
        || problem instanceof RetriableException
        || ((problem instanceof SocketException
                || problem instanceof SocketTimeoutException
                || problem instanceof EOFException)
            && CALL.matcher(ErrorMessages.message(problem)).find());
  }

  private static boolean isSafeModeException(Throwable problem) {
    return problem instanceof SafeModeException
        || (problem instanceof RemoteException remote
            && SafeModeException.class.getName().equals(remote.getClassName()));
  }
}
