package dev.weir.service.locate.files;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Counts the calls to a file system.
 *
 * @param tree receives the calls
 * @param calls the counter
 */
record CountingFileTree(FileTree tree, LongAdder calls) implements FileTree {

  @Override
  public Optional<FileInfo> find(String path) throws IOException {
    calls.increment();
    return tree.find(path);
  }

  @Override
  public boolean isListable() {
    return tree.isListable();
  }

  @Override
  public Optional<Page> page(String directory, byte[] after, Predicate<String> wanted)
      throws IOException {
    calls.increment();
    return tree.page(directory, after, wanted);
  }

  @Override
  public boolean mayTraverse(String directory) throws IOException {
    calls.increment();
    return tree.mayTraverse(directory);
  }
}
