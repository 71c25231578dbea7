@NullMarked
package dev.weir.service.access;

import org.jspecify.annotations.NullMarked;
