package dev.weir.service.locate;

import dev.weir.service.part.Problem;
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

/** What a NameNode's refusals say of a path. */
final class NameNodeErrors {
  private NameNodeErrors() {}

  /**
   * What is wrong with the path.
   *
   * @throws IOException the same when it is not about the path
   * @throws ProblemException when the service may not ask for the caller at all
   */
  static PathFault fault(IOException refusal) throws IOException {
    IOException real =
        refusal instanceof RemoteException remote ? remote.unwrapRemoteException() : refusal;
    if (real instanceof AuthorizationException) {
      throw new ProblemException(
          Problem.forbidden(
              "the NameNode does not let the service ask for the caller; set"
                  + " hadoop.proxyuser.USER.hosts and .groups in its core-site.xml for the"
                  + " service's user: "
                  + real.getMessage()),
          refusal);
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

  /** What HDFS has no such names for, one with a colon for instance, cannot be there. */
  private static boolean isNoName(IOException refusal) {
    return refusal instanceof RemoteException remote
        && remote.getClassName().equals(InvalidPathException.class.getName());
  }
}
