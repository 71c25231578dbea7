// Counts the words of texts, adds the counts, and sorts the words into files by their lengths.

params.texts = "texts/*.md"
params.results = "results"

process COUNT {
    tag "${text.baseName}"
    cpus 1
    memory '200 MB'

    input:
    path text

    output:
    path "${text.baseName}.txt"

    script:
    """
    tr -cs A-Za-z '\\n' < $text | LC_ALL=C sort | uniq -c > ${text.baseName}.txt
    """
}

process ADD {
    publishDir params.results, mode: 'copy'

    input:
    path counts

    output:
    path 'words.txt'

    script:
    """
    add-counts $counts > words.txt
    """
}

process LENGTHS {
    input:
    path words

    output:
    path 'lengths/*.txt'

    script:
    """
    mkdir lengths
    awk '{ n = length(\$1); print > ("lengths/" (n < 5 ? "short" : n < 9 ? "middle" : "long") ".txt") }' $words
    """
}

process LINES {
    tag "${part.baseName}"

    input:
    path part

    output:
    stdout

    script:
    """
    echo $part \$(wc -l < $part)
    """
}

workflow {
    texts = Channel.fromPath(params.texts).toSortedList { a, b -> a.name <=> b.name }
    counts = COUNT(texts.flatMap())
    words = ADD(counts.toSortedList { a, b -> a.name <=> b.name })
    LINES(LENGTHS(words).flatMap())
        .collectFile(name: 'report.txt', storeDir: params.results, sort: true)
}
