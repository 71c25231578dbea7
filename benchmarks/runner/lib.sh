# The functions that 'run' and 'makeflow-wq' share. Source it with $here, $weir, $work and the array $cluster set.

# Writes $work/flow.json and its inputs in $work/in-data: noop COUNT, files COUNT, or montage DIRECTORY of a demo.
write_workflow() {
  case $1 in
    noop | files)
      python3 "$here/many.py" "$1" "$2" "$work"
      mv "$work/many.json" "$work/flow.json"
      mkdir "$work/data"
      if [[ $1 == files ]]; then mv "$work/in" "$work/data/in"; fi
      ;;
    montage)
      [[ -f $2/montage.json && -d $2/survey ]] ||
        { echo "$2: has no montage.json and survey/; create them: weir demo --out $2" >&2; exit 2; }
      cp "$2/montage.json" "$work/flow.json"
      cp -r "$2/survey" "$work/data"
      ;;
    *) echo "Unknown workflow '$1': give noop, files or montage" >&2 && exit 2 ;;
  esac
}

# Compares mosaics without their headers, because the dates differ: same_pixels FITS FITS.
same_pixels() {
  python3 - "$1" "$2" <<'PIXELS'
import sys


def pixels(name):
    data = open(name, "rb").read()
    at = 0
    while data[at : at + 8].rstrip() != b"END":
        at += 80
    return data[-(-(at + 80) // 2880) * 2880 :]


sys.exit(0 if pixels(sys.argv[1]) == pixels(sys.argv[2]) else f"{sys.argv[1]}: has different pixels than {sys.argv[2]}")
PIXELS
}

now() { date +%s.%6N; }

# Prints the CPU time of the machine since its boot, in ticks.
machine() { awk '/^cpu / {print $2 + $3 + $4 + $7 + $8}' /proc/stat; }

# Prints the bytes that the cluster's nodes have sent over their links; nothing if the cluster has no links.
sent() {
  python3 - "$(dirname "$HADOOP_CONF_DIR")/cluster.json" <<'SENT'
import json
import pathlib
import sys

plan = json.load(open(sys.argv[1]))
if plan["hosts"] == "NAMESPACES":
    # This machine's end of a link receives what the node sends.
    ends = pathlib.Path("/sys/class/net").glob(f"weir{plan['index']}[mno]*")
    print(sum(int((end / "statistics/rx_bytes").read_text()) for end in ends))
SENT
}

# Records a measurement for summary.py: measure NAME NUMBER.
measure() { echo "$1 $2" >>"$work/measures"; }

# Prints the ticks of a process and of its reaped children; nothing if it has ended.
ticks() { awk '{print $14 + $15, $16 + $17}' "/proc/$1/stat" 2>/dev/null; }

difference() { awk -v a="$1" -v b="$2" -v d="${3:-1}" 'BEGIN { printf "%.2f\n", (b - a) / d }'; }
