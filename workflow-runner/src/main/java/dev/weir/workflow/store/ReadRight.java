package dev.weir.workflow.store;

import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Whether a user may read a file, as far as its status tells. The NameNode checks this when a file
 * is opened and not when it is listed, so that whoever reads by a listing has to check it.
 */
record ReadRight(String user) {

  /**
   * Whether the user may read the file whatever groups it is in; false when that has to be asked.
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
