/** A ZooKeeper inside the service, for clusters that have none. */
@NullMarked
package dev.weir.service.zk;

import org.jspecify.annotations.NullMarked;
