/** Keeps files, rules and the hints that files carry consistent. */
@NullMarked
package dev.weir.service.reconcile;

import org.jspecify.annotations.NullMarked;
