package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.transfer.DataStore.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LazyDataStoreTest {

  @TempDir private Path temp;
  private final CompletableFuture<DataStore> opened = new CompletableFuture<>();
  private final LazyDataStore store = new LazyDataStore(opened, DirectoryStore.NODE);

  @Test
  void batchesArePassedToTheOpenedStore() throws IOException {
    DirectoryStore directory = new DirectoryStore(temp);
    directory.batchBy(path -> "here", () -> {});
    directory.write("/a", "content");
    opened.complete(directory);
    List<Source> sources = List.copyOf(store.find(List.of(new FileSlot("a", "/a", 0))).values());
    assertThat(sources).extracting(Source::batchKey).containsExactly("here");

    store.readBatch(sources);

    assertThat(directory.readBatch()).containsExactly(List.of("/a"));
  }

  @Test
  void failureToOpenIsReported() {
    opened.completeExceptionally(new IOException("no such host"));

    assertThatThrownBy(() -> store.find(List.of()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("HDFS cannot be opened: java.io.IOException: no such host");
    store.readBatch(List.of());
  }
}
