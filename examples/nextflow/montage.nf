// Makes a mosaic of tiles with Montage: projects each tile, fits each overlap, models all backgrounds, corrects each
// tile, and adds all of them. `weir demo --out DIR` writes tiles to DIR/survey.

params.survey = "survey"
params.results = "results"

process PROJECT {
    tag "${tile.baseName}"

    input:
    tuple path(tile), path(region)

    output:
    tuple val("p_${tile.name}"), path("p_${tile.baseName}{,_area}.fits")

    script:
    "mProject $tile p_${tile.name} $region"
}

process OVERLAPS {
    input:
    path list
    path images

    output:
    tuple path('projected.tbl'), path('diffs.tbl')

    script:
    "mImgtbl -t $list . projected.tbl && mOverlaps projected.tbl diffs.tbl"
}

process FIT {
    tag "$first $second"

    input:
    tuple val(first), val(second), val(plus), val(minus), path(images), path(region)

    output:
    path 'fit.*.txt'

    script:
    "mDiffFit -s fit.${first}.${second}.txt $plus $minus diff.fits $region"
}

process MODEL {
    input:
    tuple path(projected), path(diffs)
    path fits

    output:
    path 'corrections.tbl'

    script:
    """
    echo '| cntr1 | cntr2 | stat                 |' > stats.tbl
    awk '/^ *[0-9]/ { printf " %7d %7d  fit.%d.%d.txt\\n", \$1, \$2, \$1, \$2 }' $diffs >> stats.tbl
    mConcatFit stats.tbl fits.tbl .
    mBgModel $projected fits.tbl corrections.tbl
    """
}

process CORRECT {
    tag "$name"

    input:
    tuple val(name), path(images), path(projected), path(corrections)

    output:
    path 'c_*.fits'

    script:
    "mBackground -t $name ${name.replaceFirst('p_', 'c_')} $projected $corrections"
}

process ADD {
    publishDir params.results, mode: 'copy'

    input:
    path list
    path images
    path region

    output:
    path 'mosaic.{fits,png}'

    script:
    """
    mImgtbl -t $list . corrected.tbl
    mAdd -e corrected.tbl $region mosaic.fits
    mViewer -ct 0 -gray mosaic.fits -1s max gaussian-log -out mosaic.png
    """
}

workflow {
    region = file("${params.survey}/region.hdr", checkIfExists: true)
    projected = PROJECT(Channel.fromPath("${params.survey}/tile*.fits").map { tile -> [tile, region] })
    tables = OVERLAPS(file("${params.survey}/projected.lst"), inOrder(projected))

    images = projected.toList().map { all -> all.collectEntries() }
    pairs = tables
        .flatMap { projections, overlaps -> overlaps.readLines().findAll { it =~ /^ *\d/ } }
        .combine(images)
        .map { line, files ->
            def (first, second, plus, minus) = line.trim().split(/\s+/)
            [first, second, plus, minus, files[plus] + files[minus], region]
        }
    corrections = MODEL(tables, FIT(pairs).toSortedList { a, b -> a.name <=> b.name })
    corrected = CORRECT(projected.combine(tables.map { it[0] }).combine(corrections))
    ADD(file("${params.survey}/corrected.lst"), inOrder(corrected), region)
}

// One list of all files, in the same order in each run, which -resume needs.
def inOrder(channel) {
    channel.flatten().filter { it instanceof Path }.toSortedList { a, b -> a.name <=> b.name }
}
