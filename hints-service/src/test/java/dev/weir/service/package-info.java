@NullMarked
package dev.weir.service;

import org.jspecify.annotations.NullMarked;
