/** Metadata of files and blocks, looked up in HDFS with the permissions of a user. */
@NullMarked
package dev.weir.service.locate.files;

import org.jspecify.annotations.NullMarked;
