package dev.weir.service.auto;

/**
 * A change of a file's replication.
 *
 * @param id the inode id
 * @param own the replicas that the owner has set
 * @param from the replicas now
 * @param utility of the last copy that is removed or the first that is added
 */
public record ReplicaChange(String path, long id, int own, int from, int to, double utility) {

  /** Returns the change of a file; one without a difference only removes the file's mark. */
  public static ReplicaChange of(AutoFile file, int to) {
    int copy = to < file.present() ? to : file.present();
    return new ReplicaChange(
        file.path(), file.id(), file.own(), file.present(), to, file.utility(copy));
  }

  /** Returns whether copies are added. */
  public boolean raises() {
    return to > from;
  }
}
