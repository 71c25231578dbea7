package dev.weir.workflow.store;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Decides whether a user may read a file, as far as its status shows. The NameNode checks
 * permissions when a file is opened, not when it is listed; a reader that uses listings must check
 * them itself.
 */
record ReadPermissionCheck(String user) {

  /**
   * Returns whether the user may read the file whatever its groups are; false when the NameNode
   * must be asked.
   */
  boolean isCertain(FileStatus file) {
    if (file.hasAcl()) {
      return false;
    }
    FsPermission permission = file.getPermission();
    if (file.getOwner().equals(user)) {
      return permission.getUserAction().implies(FsAction.READ);
    }
    return permission.getGroupAction().implies(FsAction.READ)
        && permission.getOtherAction().implies(FsAction.READ);
  }
}
