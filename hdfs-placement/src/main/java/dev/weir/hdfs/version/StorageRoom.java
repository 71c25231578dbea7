package dev.weir.hdfs.version;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Whether a DataNode has room for a block. Since Hadoop 3.4 (HDFS-17205) a policy tells for how
 * many blocks a storage must have room; in 3.3 it is one. These members are found by reflection.
 */
public final class StorageRoom {
  private static final @Nullable Method MIN_BLOCKS =
      find(BlockPlacementPolicyDefault.class, "getMinBlocksForWrite");
  private static final @Nullable Method SET_MIN_BLOCKS =
      find(BlockPlacementPolicyDefault.class, "setMinBlocksForWrite", int.class);
  private static final @Nullable Method CHOOSE_FOR_BLOCKS =
      find(
          DatanodeDescriptor.class,
          "chooseStorage4Block",
          StorageType.class,
          long.class,
          int.class);
  private static final @Nullable Method CHOOSE =
      find(DatanodeDescriptor.class, "chooseStorage4Block", StorageType.class, long.class);

  private StorageRoom() {}

  /** Whether the node has a storage of the type with room for the block. */
  public static boolean isFor(
      DatanodeDescriptor node, BlockPlacementPolicyDefault policy, StorageType type, long size) {
    if (MIN_BLOCKS != null && CHOOSE_FOR_BLOCKS != null) {
      return call(CHOOSE_FOR_BLOCKS, node, type, size, call(MIN_BLOCKS, policy)) != null;
    }
    // Without either member the base policy decides alone, which checks for room as well.
    return CHOOSE == null || call(CHOOSE, node, type, size) != null;
  }

  /** For how many blocks a storage must have room. */
  public static int minBlocks(BlockPlacementPolicyDefault policy) {
    return MIN_BLOCKS != null && call(MIN_BLOCKS, policy) instanceof Integer blocks ? blocks : 1;
  }

  /** Sets for how many blocks a storage must have room. Hadoop 3.3 never calls it. */
  public static void setMinBlocks(BlockPlacementPolicyDefault policy, int blocks) {
    if (SET_MIN_BLOCKS != null) {
      call(SET_MIN_BLOCKS, policy, blocks);
    }
  }

  private static @Nullable Method find(Class<?> owner, String name, Class<?>... parameters) {
    try {
      return owner.getMethod(name, parameters);
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static @Nullable Object call(Method method, Object owner, @Nullable Object... arguments) {
    try {
      return method.invoke(owner, arguments);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot call " + method, e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(method + " failed", e.getCause());
    }
  }
}
