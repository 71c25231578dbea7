package dev.weir.service.locate.files;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DirectoryLookupTest {
  private static final String FOUND = "found";

  private final InMemoryFileTree tree = new InMemoryFileTree("/d");

  @Test
  void listsAdjacentFiles() throws Exception {
    IntStream.range(0, 10_000).forEach(i -> tree.add(name(i)));
    List<String> names = IntStream.range(5_000, 6_000).mapToObj(i -> name(i)).toList();
    assertThat(lookUp(names)).hasSize(1000).containsValue(FOUND);
    assertThat(tree.parts()).isBetween(10, 11);
    assertThat(tree.finds()).isZero();
  }

  @Test
  void looksUpFewFilesSingly() throws Exception {
    IntStream.range(0, 10_000).forEach(i -> tree.add(name(i)));
    lookUp(List.of(name(3), name(7000), "none"));
    assertThat(tree.parts()).isZero();
    assertThat(tree.finds()).isEqualTo(3);
  }

  @Test
  void distantFilesCostLittleMoreThanSingleCalls() throws Exception {
    IntStream.range(0, 100_000).forEach(i -> tree.add(name(i)));
    List<String> names = IntStream.range(0, 1000).mapToObj(i -> name(i * 100)).toList();
    lookUp(names);
    assertThat(tree.finds()).isLessThanOrEqualTo(1000);
    assertThat(tree.parts()).isLessThanOrEqualTo(1000 / DirectoryLookup.CALLS_PER_LISTING + 1);
  }

  @Test
  void missingDirectoryCostsOneCall() throws Exception {
    Map<String, String> answers = new HashMap<>();
    List<String> names = IntStream.range(0, 5000).mapToObj(i -> name(i)).toList();
    new DirectoryLookup(tree, "/none", paths(names), recording(answers)).run();
    assertThat(answers.values()).hasSize(5000).containsOnly("not-found");
    assertThat(tree.parts() + tree.finds()).isEqualTo(1);
  }

  @Test
  void looksUpFilesSinglyWithoutReadPermission() throws Exception {
    tree.add("there");
    tree.allow(false, true);
    assertThat(lookUp(List.of("there", "b", "c", "d", "e")))
        .containsEntry("there", FOUND)
        .containsEntry("b", "not-found");
  }

  @Test
  void closedDirectoryCostsFewCalls() throws Exception {
    tree.add("there");
    tree.allow(false, false);
    List<String> names = new ArrayList<>(IntStream.range(0, 5000).mapToObj(i -> name(i)).toList());
    names.add("there");
    assertThat(lookUp(names).values()).hasSize(5001).containsOnly("not-readable");
    assertThat(tree.parts() + tree.finds()).isEqualTo(3);
  }

  @Test
  void findsExistingFilesInRandomLookups() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      InMemoryFileTree some = new InMemoryFileTree("/d");
      int size = random.nextInt(1000);
      for (int i = 0; i < size; i++) {
        if (random.nextInt(20) == 0) {
          some.addDirectory(word(random));
        } else {
          some.add(word(random));
        }
      }
      Set<String> names = new HashSet<>();
      int count = random.nextInt(200);
      for (int i = 0; i < count; i++) {
        names.add(word(random));
      }
      Map<String, String> answers = new HashMap<>();
      new DirectoryLookup(some, "/d", paths(names), recording(answers)).run();
      assertThat(answers.keySet()).as("seed " + seed).isEqualTo(names);
      for (String name : names) {
        assertThat("not-found".equals(answers.get(name)))
            .as("seed " + seed + ": " + name)
            .isEqualTo(!some.has(name));
      }
    }
  }

  private Map<String, String> lookUp(List<String> names) throws IOException {
    Map<String, String> answers = new HashMap<>();
    new DirectoryLookup(tree, "/d", paths(names), recording(answers)).run();
    return answers;
  }

  private static Map<String, FilePath> paths(Collection<String> names) {
    return names.stream().collect(toMap(name -> name, name -> FilePath.parse("/d/" + name)));
  }

  private static PathLookup.Listener recording(Map<String, String> answers) {
    return new PathLookup.Listener() {
      @Override
      public void file(FilePath path, FileInfo info) {
        assertThat(answers.put(path.name(), FOUND)).isNull();
      }

      @Override
      public void failed(FilePath path, PathFault fault) {
        assertThat(answers.put(path.name(), fault.word())).isNull();
      }
    };
  }

  private static String name(int i) {
    return String.format(Locale.ROOT, "part-%06d", i);
  }

  private static String word(Random random) {
    String letters = "abcä9-";
    StringBuilder word = new StringBuilder();
    int length = 1 + random.nextInt(4);
    for (int i = 0; i < length; i++) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }
}
