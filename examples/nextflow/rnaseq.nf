// Estimates with salmon how often each transcript occurs in samples of RNA, aligns the same reads to the transcripts
// with bwa, checks their quality with fastqc, and sums up all samples. `rnaseq-data DIR` writes small samples to DIR.

params.data = "data"
params.results = "results"

process BWA_INDEX {
    input:
    path transcripts

    output:
    path "${transcripts}*", includeInputs: true

    script:
    "bwa index $transcripts"
}

process SALMON_INDEX {
    input:
    path transcripts

    output:
    path 'salmon'

    script:
    "salmon index -p 1 -t $transcripts -i salmon"
}

process ALIGN {
    tag "$sample"

    input:
    tuple val(sample), path(reads), path(index)

    output:
    tuple val(sample), path("${sample}.bam")

    script:
    """
    bwa mem -t $task.cpus ${index.find { it.name.endsWith('.fa') }} $reads |
        samtools sort --no-PG -O bam -o ${sample}.bam -
    """
}

process STATISTICS {
    tag "$sample"

    input:
    tuple val(sample), path(alignments)

    output:
    path "${sample}.flagstat"

    script:
    "samtools flagstat $alignments > ${sample}.flagstat"
}

process QUANTIFY {
    tag "$sample"

    input:
    tuple val(sample), path(reads), path(index)

    output:
    path "${sample}.sf"

    script:
    """
    salmon quant -p 1 -l A -i $index -1 ${reads[0]} -2 ${reads[1]} -o $sample
    mv $sample/quant.sf ${sample}.sf
    """
}

process FASTQC {
    tag "$sample"

    input:
    tuple val(sample), path(reads)

    output:
    path '*_fastqc.zip'

    script:
    "fastqc -q $reads"
}

process MULTIQC {
    publishDir params.results, mode: 'copy'

    input:
    path all

    output:
    path 'multiqc_report.html'

    script:
    "multiqc -q ."
}

process TABLE {
    publishDir params.results, mode: 'copy'

    input:
    path counts
    path statistics

    output:
    path 'counts.tsv'
    path 'aligned.txt'

    script:
    """
    awk 'FNR > 1 { print FILENAME "\\t" \$1 "\\t" \$5 }' $counts > counts.tsv
    grep -H 'mapped (' $statistics > aligned.txt
    """
}

workflow {
    transcripts = file("${params.data}/transcripts.fa", checkIfExists: true)
    samples = Channel.fromFilePairs("${params.data}/*_{1,2}.fq", checkIfExists: true)
    aligned = ALIGN(samples.combine(BWA_INDEX(transcripts).toList()))
    counts = QUANTIFY(samples.combine(SALMON_INDEX(transcripts)))
    TABLE(inOrder(counts), inOrder(STATISTICS(aligned)))
    MULTIQC(FASTQC(samples).mix(STATISTICS.out).collect())
}

// One list of all files, in the same order in each run, which -resume needs.
def inOrder(files) {
    files.toSortedList { a, b -> a.name <=> b.name }
}
