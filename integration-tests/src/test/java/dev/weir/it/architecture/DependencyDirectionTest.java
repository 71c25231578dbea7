package dev.weir.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dependencies between modules are one-way and free of cycles. */
class DependencyDirectionTest {

  /** The packages of workflow-model; all others below dev.weir.workflow are workflow-runner's. */
  private static final String[] MODEL = {
    "dev.weir.workflow.format..",
    "dev.weir.workflow.imports..",
    "dev.weir.workflow.infer..",
    "dev.weir.workflow.jx..",
    "dev.weir.workflow.makeflow..",
    "dev.weir.workflow.model..",
    "dev.weir.workflow.pegasus..",
    "dev.weir.workflow.provenance..",
    "dev.weir.workflow.record..",
    "dev.weir.workflow.shape..",
    "dev.weir.workflow.text..",
    "dev.weir.workflow.wfformat..",
  };

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            // ArchUnit does not recognise the classes of a test jar as tests.
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("dev.weir", "org.apache.hadoop.hdfs.server.blockmanagement");
  }

  @Test
  void modulesDependOneWay() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.weir..")
        .layer("hints-api")
        .definedBy("dev.weir.hints..")
        .layer("hdfs-placement")
        .definedBy("dev.weir.hdfs..", "org.apache.hadoop.hdfs.server.blockmanagement..")
        .layer("yarn-scheduler")
        .definedBy("dev.weir.yarn..")
        .layer("workflow-model")
        .definedBy(MODEL)
        .layer("workflow-runner")
        .definedBy(resideInAPackage("dev.weir.workflow..").and(not(resideInAnyPackage(MODEL))))
        .layer("hints-service")
        .definedBy("dev.weir.service..")
        .layer("local-cluster")
        .definedBy("dev.weir.cluster..")
        .layer("montage")
        .definedBy("dev.weir.montage..")
        .layer("cli")
        .definedBy("dev.weir.cli..")
        .whereLayer("hints-api")
        .mayNotAccessAnyLayer()
        .whereLayer("hdfs-placement")
        .mayOnlyAccessLayers("hints-api")
        .whereLayer("yarn-scheduler")
        .mayOnlyAccessLayers("hints-api")
        .whereLayer("workflow-model")
        .mayOnlyAccessLayers("hints-api")
        .whereLayer("workflow-runner")
        .mayOnlyAccessLayers("hints-api", "workflow-model")
        .whereLayer("hints-service")
        .mayOnlyAccessLayers("hints-api", "hdfs-placement", "workflow-model")
        .whereLayer("local-cluster")
        .mayNotAccessAnyLayer()
        .whereLayer("montage")
        .mayOnlyAccessLayers("workflow-model", "local-cluster")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .check(classes);
  }

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.weir.(**)").should().beFreeOfCycles().check(classes);
  }
}
