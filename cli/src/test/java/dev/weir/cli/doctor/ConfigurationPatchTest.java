package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cli.doctor.Finding.Setting;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A patched copy keeps the encoding and the permissions of its source. */
class ConfigurationPatchTest {

  private static final String NAME = "core-site.xml";

  @TempDir private Path conf;

  private Path patch() throws IOException {
    return ConfigurationPatch.write(
            conf, conf.resolve("fixed"), List.of(new Setting(NAME, "key", "new")))
        .get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "'', UTF-8", //
    "'', UTF-16",
    "UTF-8, UTF-8",
    "ISO-8859-1, ISO-8859-1",
    "UTF-16, UTF-16"
  })
  void encodingIsKept(String declared, Charset charset) throws Exception {
    String declaration =
        "<?xml version=\"1.0\"" + (declared.isEmpty() ? "" : " encoding='" + declared + "'") + "?>";
    String text =
        declaration
            + "<!-- J\u00fcrgen -->"
            + "<configuration><property><name>who</name><value>Zo\u00eb &#8364;</value></property>"
            + "</configuration>";
    Files.writeString(conf.resolve(NAME), text, charset);

    Path patched = patch();

    Configuration read = new Configuration(false);
    read.addResource(new org.apache.hadoop.fs.Path(patched.toUri()));
    assertThat(read.get("who")).isEqualTo("Zo\u00eb \u20ac");
    assertThat(read.get("key")).isEqualTo("new");
    assertThat(Files.readString(patched, charset)).startsWith(declaration + "<!-- J\u00fcrgen -->");
  }

  @Test
  void byteOrderMarkIsKept() throws Exception {
    Files.writeString(
        conf.resolve(NAME), "\ufeff<?xml version=\"1.0\"?><!-- Ours --><configuration/>");

    assertThat(Files.readString(patch()))
        .startsWith("\ufeff<?xml version=\"1.0\"?><!-- Ours --><configuration>");
  }

  @Test
  void bytesThatAreNotInTheDeclaredEncodingAreRefused() throws Exception {
    Files.writeString(
        conf.resolve(NAME),
        "<configuration><!-- J\u00fcrgen --></configuration>",
        StandardCharsets.ISO_8859_1);

    assertThatThrownBy(this::patch).hasMessageContaining(conf.resolve(NAME).toString());
  }

  @Test
  void unknownEncodingIsRefused() throws Exception {
    Files.writeString(conf.resolve(NAME), "<?xml version='1.0' encoding='mine'?><configuration/>");

    assertThatThrownBy(this::patch)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(conf.resolve(NAME).toString());
  }

  @ParameterizedTest
  @CsvSource({"rw-r-----", "rw-rw-r--", "r--r--r--"})
  void permissionsAreKept(String permissions) throws Exception {
    Files.writeString(conf.resolve(NAME), "<configuration/>");
    Files.setPosixFilePermissions(conf.resolve(NAME), PosixFilePermissions.fromString(permissions));

    for (int i = 0; i < 2; i++) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(patch())))
          .isEqualTo(permissions);
    }
    assertThat(conf.resolve("fixed")).isDirectoryContaining("glob:**/" + NAME);
  }

  @Test
  void fileWithADoctypeIsRefused() throws Exception {
    Files.writeString(
        conf.resolve(NAME),
        "<!DOCTYPE configuration SYSTEM 'file:///missing.dtd'>\n<configuration/>");

    assertThatThrownBy(this::patch)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(conf.resolve(NAME).toString(), "DOCTYPE");
    assertThat(conf.resolve("fixed")).isEmptyDirectory();
  }
}
