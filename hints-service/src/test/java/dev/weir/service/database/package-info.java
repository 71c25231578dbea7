@NullMarked
package dev.weir.service.database;

import org.jspecify.annotations.NullMarked;
