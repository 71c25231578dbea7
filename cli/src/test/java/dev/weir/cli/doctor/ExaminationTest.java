package dev.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.doctor.Finding.Level;
import dev.weir.cli.doctor.Finding.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExaminationTest {
  private static Finding finding(Level level, String subject, String text, String remedy) {
    return new Finding(level, subject, text, remedy, Step.OTHER, null);
  }

  private static Check check(Finding finding) {
    return new Check() {
      @Override
      public String subject() {
        return finding.subject();
      }

      @Override
      public void examine(Findings findings) throws IOException {
        if (finding.level() == Level.UNKNOWN) {
          throw new IOException(finding.text());
        }
        if (finding.level() == Level.WRONG) {
          findings.wrong(finding.text(), finding.remedy());
        } else {
          findings.note(finding.text(), finding.remedy());
        }
      }
    };
  }

  @Test
  void unavailablePartDoesNotStopLaterChecks() {
    Examination examination =
        Examination.of(
            List.of(
                check(finding(Level.UNKNOWN, "RM", "no route\nto host", "")),
                check(finding(Level.WRONG, "NN", "is stock", "set it"))));

    assertThat(examination.findings())
        .extracting(Finding::text)
        .containsExactly("could not be asked: no route", "is stock");
    assertThat(examination.isAnythingWrong()).isTrue();
    assertThat(examination.words().lines())
        .contains("wrong    NN    is stock", "What to do, in this order:", "2. NN: set it");
    assertThat(examination.json().path("findings").path(1).path("level").asText())
        .isEqualTo("wrong");
  }

  @Test
  void remediesAreInTheOrderInWhichTheyAreApplied() {
    Examination examination =
        new Examination(
            List.of(
                finding(Level.NOTE, "client", "plain", "fs.hdfs.impl").in(Step.CLIENTS),
                finding(Level.WRONG, "NN", "policy", "")
                    .setting(new Finding.Setting("hdfs-site.xml", "key", "value")),
                finding(Level.WRONG, "NN", "running", "restart").in(Step.RESTART),
                finding(Level.WRONG, "NN", "no jars", "copy").in(Step.JARS)));

    assertThat(examination.remedies())
        .extracting(Finding::remedy)
        .containsExactly("copy", "hdfs-site.xml: key = value", "restart", "fs.hdfs.impl");
  }

  @Test
  void patchKeepsOtherSettings(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("hdfs-site.xml"),
        """
        <?xml version="1.0"?>
        <!-- Ours: <configuration> -->
        <configuration>
          <!-- The old policy. -->
          <property><name>policy</name><value>old</value><final>true</final></property>
          <property><name>mine</name><value>${other}</value></property>
        </configuration>
        """);

    assertThat(
            ConfigurationPatch.write(
                folder,
                folder.resolve("fixed"),
                List.of(
                    new Finding.Setting("hdfs-site.xml", "policy", "weir"),
                    new Finding.Setting("hdfs-site.xml", "base", "old & <own>"),
                    new Finding.Setting("yarn-site.xml", "processors", "a,b"))))
        .containsExactly(
            folder.resolve("fixed/hdfs-site.xml"), folder.resolve("fixed/yarn-site.xml"));
    assertThat(folder.resolve("fixed/hdfs-site.xml"))
        .hasContent(
            """
            <?xml version="1.0"?>
            <!-- Ours: <configuration> -->
            <configuration>
              <!-- The old policy. -->
              <property><name>policy</name><value>weir</value><final>true</final></property>
              <property><name>mine</name><value>${other}</value></property>

              <property>
                <name>base</name>
                <value>old &amp; &lt;own&gt;</value>
              </property>
            </configuration>
            """);
    assertThat(folder.resolve("fixed/yarn-site.xml"))
        .content()
        .contains("<name>processors</name>\n    <value>a,b</value>");
    assertThat(folder.resolve("yarn-site.xml")).doesNotExist();
  }

  @Test
  void notesAreNoFaults() {
    Examination examination =
        Examination.of(
            List.of(
                check(finding(Level.NOTE, "DN", "x", "y")),
                check(finding(Level.FINE, "NN", "z", ""))));
    assertThat(examination.isAnythingWrong()).isFalse();
  }
}
