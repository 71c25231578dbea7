package dev.weir.workflow.image;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * A command in a container.
 *
 * @param name of the container, unique on the machine
 * @param image what the runtime knows the image by
 * @param isLoaded whether the runtime has the image, so that it must not look for it elsewhere
 * @param root the attempt's directory, which the container has at the same path
 * @param work the working directory
 * @param inherited names of variables that the container gets from the runtime's own environment:
 *     their values may be secrets, which a command line would show to all users
 * @param set further variables, with values that the command line may show
 * @param user the user that the command runs as
 * @param memoryBytes memory limit in bytes; 0 for none
 */
record ContainerCommand(
    String name,
    String image,
    boolean isLoaded,
    Path root,
    Path work,
    SortedSet<String> inherited,
    Map<String, String> set,
    User user,
    long memoryBytes,
    List<String> argv) {

  /**
   * A user of the machine.
   *
   * @param gid number of the user's group
   */
  record User(int uid, int gid) {

    boolean isRoot() {
      return uid == 0;
    }

    @Override
    public String toString() {
      return uid + ":" + gid;
    }
  }
}
