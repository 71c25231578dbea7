/** The storage of intermediate files that a study of Montage in clouds compared. */
@NullMarked
package dev.weir.bench.clouds;

import org.jspecify.annotations.NullMarked;
