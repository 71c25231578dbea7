/** The demo: one mosaic in every mode on a cluster of this machine, compared and reported. */
@NullMarked
package dev.weir.cli.demo;

import org.jspecify.annotations.NullMarked;
