@NullMarked
package dev.weir.service.reconcile;

import org.jspecify.annotations.NullMarked;
