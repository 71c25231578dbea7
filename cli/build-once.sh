# To be sourced by the commands of a checkout.

# Builds modules with those that they need, without tests, if that was never done or a source is newer than what was
# built. Who comes while another builds waits for it: two builds at once would write the same files.
#   build_once ROOT MODULE [ARGUMENT OF MAVEN]...
# The last lines of a failed build go to standard error, and 1 is returned.
build_once() {
  local root=$1 module=$2
  local stamp=$root/$module/target/weir.built log=$root/$module/target/weir-build.log
  fresh "$root" "$stamp" && return
  mkdir -p "$root/cli/target" "$root/$module/target"
  # In a shell of its own, whose end gives the lock back; Maven does not inherit it, for a process that it left would keep it.
  (
    if ! flock -n 9; then
      echo "weir: waiting for another build ..." >&2
      flock 9
    fi
    fresh "$root" "$stamp" && exit
    echo "weir: building (once; the log is in $module/target/weir-build.log) ..." >&2
    begun=$(mktemp "$root/$module/target/begun.XXXXXX")
    if ! (cd "$root" && mvn -B -ntp -q -DskipTests -pl "$module" -am package "${@:3}") >"$log" 2>&1 9>&-; then
      rm -f "$begun"
      tail -n 30 "$log" >&2
      echo "weir: the build failed; see $module/target/weir-build.log" >&2
      exit 1
    fi
    # The time at which the build began: a source saved during the build is newer than that.
    mv "$begun" "$stamp"
    # Whatever is built here is built with the command.
    touch -r "$stamp" "$root/cli/target/weir.built"
  ) 9>"$root/cli/target/weir.lock"
}

fresh() {
  [[ -e $2 && -z $(find "$1/pom.xml" "$1"/*/pom.xml "$1"/*/src/main -newer "$2" -print -quit) ]]
}
