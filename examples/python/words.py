"""Counts the words of texts in a Weir session, and checks the result.

python words.py FILE...: uploads the files to HDFS, counts the words of each by a job, and adds the
counts by a job that waits for them. The session runs each job where its input is.
"""

import collections
import os
import pathlib
import sys

import weir

COUNT = "tr -cs 'A-Za-z' '\\n' < text | tr A-Z a-z | grep . | LC_ALL=C sort | uniq -c > counts"
ADD = "cat counts-* | awk '{n[$2] += $1} END {for (w in n) print w, n[w]}' | LC_ALL=C sort > all"


def main(files: list[str]) -> None:
    """Counts the words of files."""
    hdfs = weir.Hdfs.connect()
    data = f"{hdfs.home()}/examples/python"
    texts = [pathlib.Path(file) for file in files]
    with weir.Executor(weir.Session.connect(os.environ.get("WEIR_SESSION", ""))) as executor:
        for text in texts:
            hdfs.write(f"{data}/{text.name}", text.read_bytes())
            executor.submit(
                ["sh", "-c", COUNT],
                {"text": f"{data}/{text.name}"},
                {"counts": f"{data}/{text.stem}.counts"},
                tag="count",
            )
        parts = {f"counts-{i}": f"{data}/{text.stem}.counts" for i, text in enumerate(texts)}
        end = executor.submit(["sh", "-c", ADD], parts, {"all": f"{data}/all"}, tag="add").result()
    lines = hdfs.read(f"{data}/all").decode().splitlines()
    found = {word: int(count) for word, count in (line.split(" ") for line in lines)}
    expected = counted(texts)
    if found != expected:
        sys.exit("The session's counts differ from this program's")
    print(f"{len(expected)} words, as counted here; added on {end.node}")


def counted(texts: list[pathlib.Path]) -> dict[str, int]:
    """Counts words as the jobs do."""
    counts: collections.Counter[str] = collections.Counter()
    for text in texts:
        letters = "".join(
            c.lower() if c.isascii() and c.isalpha() else "\n" for c in text.read_text()
        )
        counts.update(filter(None, letters.split("\n")))
    return dict(counts)


if __name__ == "__main__":
    main(sys.argv[1:])
