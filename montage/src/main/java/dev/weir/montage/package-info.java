/**
 * Montage mosaics: a synthetic sky, the workflow that mosaics it, a run of that workflow on the
 * local disk to compare with, and the comparison of two images.
 */
@NullMarked
package dev.weir.montage;

import org.jspecify.annotations.NullMarked;
