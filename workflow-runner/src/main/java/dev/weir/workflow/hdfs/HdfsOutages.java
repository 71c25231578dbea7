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

/** Times in which HDFS does nothing, and after which it does. */
public final class HdfsOutages {

  /** How Hadoop begins to tell of a call that has not got through, also of one to a name. */
  private static final Pattern CALL =
      Pattern.compile("^(Call From |DestHost:destPort |No Route to Host from |End of File Exc)");

  /** What a NameNode says that is about to be one, or is none any more. */
  private static final Set<String> NOT_NOW =
      Set.of(StandbyException.class.getName(), RetriableException.class.getName());

  private HdfsOutages() {}

  /**
   * Whether something failed for such a reason: the same may be done at another time.
   *
   * @param problem what it failed with
   * @return whether HDFS is in safe mode or its NameNode away
   */
  public static boolean isOne(Throwable problem) {
    return isSafeMode(problem) || isAway(problem);
  }

  /**
   * Whether something failed because HDFS is in safe mode.
   *
   * @param problem what it failed with
   * @return whether
   */
  public static boolean isSafeMode(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(HdfsOutages::saysSafeMode);
  }

  /**
   * Whether something failed because the NameNode did not answer, or was none at that moment. What
   * befalls a connection to a DataNode is another matter: HDFS's client takes another one.
   *
   * @param problem what it failed with
   * @return whether
   */
  public static boolean isAway(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(HdfsOutages::saysAway);
  }

  private static boolean saysAway(Throwable problem) {
    if (problem instanceof RemoteException remote) {
      return NOT_NOW.contains(remote.getClassName());
    }
    return problem instanceof StandbyException
        || problem instanceof RetriableException
        || ((problem instanceof SocketException
                || problem instanceof SocketTimeoutException
                || problem instanceof EOFException)
            && CALL.matcher(ErrorMessages.message(problem)).find());
  }

  private static boolean saysSafeMode(Throwable problem) {
    return problem instanceof SafeModeException
        || (problem instanceof RemoteException remote
            && SafeModeException.class.getName().equals(remote.getClassName()));
  }
}
