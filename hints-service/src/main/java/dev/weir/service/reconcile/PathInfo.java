package dev.weir.service.reconcile;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The NameNode's metadata of a path.
 *
 * @param id the inode id, which is never reused
 * @param replication the replication of a file
 * @param striped whether it is erasure-coded and so has no replicas
 * @param modified the last change of its content
 * @param shared whether users other than the owner may write it, and so set its hint
 * @param hint the hint that it carries; null if it has none
 */
record PathInfo(
    String path,
    long id,
    boolean directory,
    int replication,
    boolean striped,
    String owner,
    boolean shared,
    Instant modified,
    @Nullable String hint) {}
