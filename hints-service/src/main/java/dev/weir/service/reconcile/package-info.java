/** Brings files, rules and the hints that they carry in step with each other. */
@NullMarked
package dev.weir.service.reconcile;

import org.jspecify.annotations.NullMarked;
