package dev.weir.service.locate.files;

import dev.weir.service.part.ProblemException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** Classifies the errors of a NameNode. */
public final class NameNodeErrors {
  private NameNodeErrors() {}

  /**
   * Returns the fault of the path.
   *
   * @throws IOException the given exception, if it does not concern the path
   * @throws ProblemException if the service may not impersonate the caller at all
   */
  public static PathFault fault(IOException refusal) throws IOException {
    IOException real =
        refusal instanceof RemoteException remote ? remote.unwrapRemoteException() : refusal;
    if (real instanceof AuthorizationException) {
      throw ProblemException.forbidden(
              "the NameNode does not let the service impersonate the caller; set"
                  + " hadoop.proxyuser.USER.hosts and .groups in its core-site.xml for the"
                  + " service's user: "
                  + real.getMessage())
          .because(refusal);
    }
    if (real instanceof AccessControlException) {
      return PathFault.NOT_READABLE;
    }
    if (real instanceof FileNotFoundException
        || real instanceof ParentNotDirectoryException
        || real instanceof PathIsNotDirectoryException
        || real instanceof UnresolvedPathException
        || isNoName(refusal)) {
      return PathFault.NOT_FOUND;
    }
    throw refusal;
  }

  /**
   * Returns whether HDFS rejects the name, for instance because of a colon. Such a file cannot
   * exist.
   */
  private static boolean isNoName(IOException refusal) {
    return refusal instanceof RemoteException remote
        && remote.getClassName().equals(InvalidPathException.class.getName());
  }
}
