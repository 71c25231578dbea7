package dev.weir.workflow.provenance;

import static dev.weir.workflow.provenance.Lineages.lines;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.record.ResourceUse;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineageTextTest {
  private static final String PLACE = ", attempt 1 on node1, 1.5 s";
  private static final String TIME = ", ended 2026-11-21T10:00:02Z";
  private static final String WHERE = PLACE + TIME;
  private static final String EFFORT = " (processors 2.8 s, memory 14.7 MB)";

  @Test
  void showsLineageDownToFilesWithoutProducer() {
    assertThat(LineageText.of(Lineages.mosaic(1), false, 0))
        .isEqualTo(
            lines(
                "/m/sum.fits  42 bytes, CRC-32C 0a1b2c3d",
                "  made by mAdd 'it'\\''s'",
                "    task add-a0"
                    + PLACE
                    + EFFORT
                    + TIME
                    + ", in run run-2 of ann (montage, succeeded)",
                "    /m/region.hdr",
                "      made by mHdr 'M 31'",
                "        task header-a1"
                    + WHERE
                    + ", in run run-1 of o'neil, x (montage, succeeded)",
                "    /m/proj0.fits  7 bytes",
                "      made by mProject raw0.fits",
                "        task project-b0" + WHERE + ", in run run-2 of ann (montage, succeeded)",
                "        /m/raw0.fits",
                "        /m/region.hdr, see above",
                "",
                "The file in HDFS is this one."));
  }

  @Test
  void manyFilesOfOneKindAreAbbreviated() {
    String few = LineageText.of(Lineages.mosaic(50), false, 0);
    assertThat(few)
        .contains("/m/proj2.fits")
        .doesNotContain("/m/proj3.fits")
        .contains("    and 47 more made by project (--all shows them)");
    assertThat(LineageText.of(Lineages.mosaic(50), true, 0)).contains("/m/raw49.fits");
  }

  @Test
  void theDepthIsCountedInCommands() {
    assertThat(LineageText.of(Lineages.mosaic(1), false, 1))
        .contains("/m/proj0.fits")
        .contains("made by project, see --depth")
        .doesNotContain("raw0");
  }

  @Test
  void omittedInputsAreCounted() {
    Lineage all = Lineages.mosaic(1);
    Making sum = all.attempts().get(0);
    Making less =
        new Making(
            sum.key(),
            sum.run(),
            sum.owner(),
            sum.task(),
            sum.type(),
            sum.attempt(),
            sum.outcome(),
            sum.command(),
            sum.worker(),
            sum.node(),
            sum.dispatched(),
            sum.ended(),
            sum.runMillis(),
            new ResourceUse(4, 0),
            List.of(),
            3,
            sum.made());
    Lineage lineage =
        new Lineage(
            all.path(),
            all.now(),
            all.verdict(),
            all.note(),
            all.files(),
            List.of(less),
            all.runs(),
            false);
    assertThat(LineageText.of(lineage, false, 0))
        .contains(
            "    and 3 more that you may not read or that no longer exist",
            "1.5 s (processors 0.0 s),");
    assertThat(ProvJson.of(lineage).path("activity").path("weir:a0").path("weir:untold"))
        .isNotEmpty();
  }

  @Test
  void unknownOriginsAreStated() {
    Lineage none =
        new Lineage(
            "/x",
            FileNow.NONE,
            Verdict.UNKNOWN,
            "No known run has written this file.",
            List.of(),
            List.of(),
            List.of(),
            false);
    assertThat(LineageText.of(none, false, 0))
        .isEqualTo(lines("/x", "  No known run has written this file."));
  }

  @Test
  void controlCharactersInNamesAreEscaped() {
    Lineage none =
        new Lineage(
            "/x\n\u001b[2J\u009b2J\u202ea\u2066b\u2028c",
            FileNow.NONE,
            Verdict.UNKNOWN,
            "Nothing.",
            List.of(),
            List.of(),
            List.of(),
            false);
    assertThat(LineageText.of(none, false, 0))
        .isEqualTo(lines("/x\\n\\u001b[2J\\u009b2J\\u202ea\\u2066b\\u2028c", "  Nothing."));
  }

  @Test
  void jsonRoundTrip() throws JsonProcessingException {
    Lineage lineage = Lineages.mosaic(2);
    assertThat(ProvenanceJson.read(ProvenanceJson.toTree(lineage), Lineage.class))
        .isEqualTo(lineage);
  }
}
