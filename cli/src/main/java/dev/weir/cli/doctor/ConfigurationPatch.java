package dev.weir.cli.doctor;

import dev.weir.cli.doctor.Finding.Setting;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Writes copies of Hadoop's configuration files with changed settings. */
final class ConfigurationPatch {
  private ConfigurationPatch() {}

  /**
   * Writes a copy of each file that has changed settings.
   *
   * @param source directory of the files; a missing file counts as empty
   * @param target directory of the copies, which is created
   * @return the copies
   * @throws IOException if a file cannot be read or written
   */
  static List<Path> write(Path source, Path target, List<Setting> settings) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String file : settings.stream().map(Setting::file).distinct().sorted().toList()) {
      Configuration patched = new Configuration(false);
      if (Files.exists(source.resolve(file))) {
        patched.addResource(new org.apache.hadoop.fs.Path(source.resolve(file).toUri()));
      }
      settings.stream()
          .filter(setting -> setting.file().equals(file))
          .forEach(setting -> patched.set(setting.key(), setting.value()));
      Files.createDirectories(target);
      try (OutputStream out = Files.newOutputStream(target.resolve(file))) {
        patched.writeXml(out);
      }
      written.add(target.resolve(file));
    }
    return written;
  }
}
