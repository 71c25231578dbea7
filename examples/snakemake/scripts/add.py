"""Adds counts of words: lines of a count and a word."""

import collections

counts = collections.Counter()
for path in snakemake.input:  # noqa: F821
    with open(path) as lines:
        for line in lines:
            number, *word = line.split()
            if word:
                counts[word[0].lower()] += int(number)
with open(snakemake.output[0], "w") as words:  # noqa: F821
    words.writelines(f"{word} {counts[word]}\n" for word in sorted(counts))
