package dev.weir.service;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;

/** The local file system with extended attributes, for {@code fs.file.impl}. */
public final class AttributedFileSystem extends RawLocalFileSystem {
  private static final Map<Path, Map<String, byte[]>> ATTRIBUTES = new ConcurrentHashMap<>();

  /** Created by Hadoop. */
  public AttributedFileSystem() {}

  /** Returns an attribute of a path. */
  public static Optional<byte[]> attribute(String path, String name) {
    return Optional.ofNullable(ATTRIBUTES.getOrDefault(new Path(path), Map.of()).get(name));
  }

  @Override
  public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flag)
      throws IOException {
    access(path, FsAction.WRITE);
    ATTRIBUTES
        .computeIfAbsent(
            Path.getPathWithoutSchemeAndAuthority(path), key -> new ConcurrentHashMap<>())
        .put(name, value);
  }

  @Override
  public Map<String, byte[]> getXAttrs(Path path) throws IOException {
    FileStatus unused = getFileStatus(path);
    return Map.copyOf(
        ATTRIBUTES.getOrDefault(Path.getPathWithoutSchemeAndAuthority(path), Map.of()));
  }

  @Override
  public void removeXAttr(Path path, String name) throws IOException {
    access(path, FsAction.WRITE);
    ATTRIBUTES.getOrDefault(Path.getPathWithoutSchemeAndAuthority(path), Map.of()).remove(name);
  }
}
