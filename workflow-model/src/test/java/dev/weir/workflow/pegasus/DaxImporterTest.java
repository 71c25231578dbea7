package dev.weir.workflow.pegasus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaxImporterTest {

  private static ImportedWorkflow read(String text) throws WorkflowException {
    return DaxReader.IMPORTER.read(new WorkflowSource("w.dax", text, null, ImportSettings.NONE));
  }

  /** Reads DAX as the generators of synthetic workflows write it. */
  @Test
  void readsVersionsBefore3WithRuntimesAndSizes() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            <adag xmlns="http://pegasus.isi.edu/schema/DAX" version="2.1" name="test">
              <job id="ID00000" namespace="Montage" name="mProject" version="1.0" runtime="13.39">
                <argument>-X <filename file="region.hdr"/> <filename file="raw.fits"/></argument>
                <uses file="region.hdr" link="input" optional="false" type="data" size="304"/>
                <uses file="raw.fits" link="input" size="4222080"/>
                <uses file="p_raw.fits" link="output" size="4167312"/>
              </job>
              <job id="ID00001" name="mAdd" runtime="1"><uses file="out" link="output" size="1"/></job>
              <child ref="ID00001"><parent ref="ID00000"/></child>
            </adag>
            """);
    assertThat(imported.workflow().name()).isEqualTo("test");
    assertThat(imported.workflow().tasks().get(0).runtimeSeconds()).isEqualTo(13.39);
    assertThat(imported.workflow().tasks().get(1).after()).containsExactly("ID00000");
    assertThat(imported.workflow().files())
        .containsEntry("raw.fits", new DataFile("raw.fits", 4222080));
    assertThat(imported.warnings()).hasSize(1).first().asString().contains("only stand-ins");
  }

  @Test
  void setsStreamsAndVariables() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            <adag name="w">
              <executable name="sim" installed="false">
                <profile namespace="env" key="HOME_OF">x</profile><pfn url="/opt/a/sim" site="s"/>
              </executable>
              <job id="a" name="sim">
                <argument>-n <file name="in"/>.1</argument>
                <profile namespace="env" key="B">a b</profile>
                <profile namespace="dagman" key="RETRY">3</profile>
                <stdout name="out" link="output"/>
                <uses name="in" link="input"/>
              </job>
            </adag>
            """);
    assertThat(imported.workflow().tasks().get(0).command())
        .containsExactly(
            "/bin/sh",
            "-c",
            "export B='a b'\nexport HOME_OF=x\nchmod +x \"$0\" || exit\nexec \"$0\" \"$@\" > out",
            "./sim",
            "-n",
            "in.1");
    assertThat(imported.workflow().tasks().get(0).outputs()).containsExactly("out");
    assertThat(imported.workflow().tasks().get(0).inputs()).containsExactly("in", "sim");
    assertThat(imported.workflow().tasks().get(0).needs().attempts()).isEqualTo(4);
  }

  @Test
  void readsNothingOutsideOfTheText(@TempDir Path directory) throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "secret");
    for (String type :
        new String[] {
          "<!DOCTYPE adag [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>",
          "<!DOCTYPE adag SYSTEM \"" + secret.toUri() + "\">",
          "<!DOCTYPE adag [<!ENTITY e \"eeee\">]>",
        }) {
      refused(
          type + "<adag name=\"w\"><job id=\"a\" name=\"n\"><argument>&e;</argument></job></adag>",
          "document type");
    }
    refused("<adag name=\"&e;\"><job id=\"a\" name=\"n\"/></adag>", "invalid XML");
  }

  @Test
  void refusesMissingParts() {
    refused("<dag/>", "the file begins with <dag>");
    refused("<adag name=\"w\"><job name=\"n\"/></adag>", "<job> has no attribute 'id'; add id=");
    refused("<adag name=\"w\"><job id=\"a\" name=\"n\" runtime=\"x\"/></adag>", "is 'x', which");
    refused("<adag name=\"w\"><dax id=\"a\" file=\"x\"/></adag>", "is another workflow");
    refused(
        "<adag name=\"w\"><executable name=\"m\"><pfn url=\"/m\"/></executable>"
            + "<job id=\"a\" name=\"n\"/></adag>",
        "uses the program 'n', which is in no catalog; add it to the transformation"
            + " catalog, or");
    refused(
        "<adag name=\"w\"><job id=\"a\" name=\"n\"/>\n<child ref=\"b\"><parent ref=\"a\"/></child></adag>",
        "w.dax: 2:33: no task has the id 'b'");
  }

  private static void refused(String text, String problem) {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(text))
        .withMessageStartingWith("w.dax: ")
        .withMessageContaining(problem);
  }

  @Test
  void transferredFilesAreKeptEvenIfJobsReadThem() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            <adag name="w">
              <job id="a" name="sim">
                <uses name="in" link="input" transfer="true"/>
                <uses name="wanted" link="output" register="true" transfer="true"/>
                <uses name="scratch" link="output" register="true" transfer="false"/>
                <uses name="silent" link="output"/>
                <uses name="perhaps" link="output" transfer="optional"/>
              </job>
              <job id="b" name="sim">
                <uses name="wanted" link="input" transfer="true"/>
                <uses name="scratch" link="input" transfer="true"/>
                <uses name="silent" link="input"/>
                <uses name="perhaps" link="input"/>
                <uses name="end" link="output" transfer="true"/>
              </job>
            </adag>
            """);

    assertThat(imported.workflow().files().values())
        .extracting(file -> file.id() + " " + file.hint())
        .containsExactlyInAnyOrder(
            "in ", "wanted keep", "scratch temporary", "silent keep", "perhaps keep", "end ");
  }
}
