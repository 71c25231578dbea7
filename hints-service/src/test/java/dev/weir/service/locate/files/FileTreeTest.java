package dev.weir.service.locate.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileTreeTest {

  private static final LocatedBlocks NO_BLOCKS =
      new LocatedBlocks(10, false, List.of(), null, true, null, null);

  @ParameterizedTest
  @ValueSource(
      classes = {UnsupportedOperationException.class, HadoopIllegalArgumentException.class})
  void pathsAreLookedUpAloneWhereNoCallTakesThemTogether(Class<?> refusal) throws IOException {
    ClientProtocol router =
        (ClientProtocol)
            Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class, Closeable.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "getBatchedListing" ->
                          throw new RemoteException(refusal.getName(), "refused");
                      case "close" -> null;
                      case "getLocatedFileInfo" -> status((String) arguments[0]);
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    LongAdder calls = new LongAdder();
    Map<String, String> results = new TreeMap<>();
    try (DFSClient client = new DFSClient(null, router, new Configuration(false), null)) {
      new FileTree(client, calls)
          .find(
              List.of(path("/file"), path("/none"), path("/directory"), path("/closed/file")),
              new UserFileTrees.Listener() {
                @Override
                public void file(FilePath path, FileInfo info) {
                  results.put(path.path(), info.length() + " bytes");
                }

                @Override
                public void failed(FilePath path, PathFault fault) {
                  results.put(path.path(), fault.toString());
                }
              });
    }

    assertThat(results)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "/file", "10 bytes",
                "/none", PathFault.NOT_FOUND.toString(),
                "/directory", PathFault.IS_DIRECTORY.toString(),
                "/closed/file", PathFault.NOT_READABLE.toString()));
    assertThat(calls.sum()).isEqualTo(5);
  }

  private static FilePath path(String path) {
    return FilePath.parse(path);
  }

  private static @Nullable HdfsFileStatus status(String path) throws IOException {
    HdfsFileStatus.Builder status =
        new HdfsFileStatus.Builder().perm(FsPermission.getFileDefault()).length(10);
    return switch (path) {
      case "/file" -> status.locations(NO_BLOCKS).build();
      case "/directory" -> status.isdir(true).build();
      case "/none" -> null;
      default ->
          throw new RemoteException(AccessControlException.class.getName(), "Permission denied");
    };
  }
}
