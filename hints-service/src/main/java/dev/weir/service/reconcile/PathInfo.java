package dev.weir.service.reconcile;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the NameNode says of a path.
 *
 * @param path the path
 * @param id the inode's: no other file ever has it, whatever its path
 * @param directory whether it is one
 * @param replication of a file
 * @param striped whether it is erasure-coded and has no replicas
 * @param owner the user who owns it
 * @param modified when its content was last changed
 * @param shared whether others than the owner may write it, and so give it a hint
 * @param hint the hint that it carries; null when none
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
