package dev.weir.nextflow;

import nextflow.plugin.BasePlugin;
import org.pf4j.PluginWrapper;

/** The entry point of the plugin; its parts are listed in {@code META-INF/extensions.idx}. */
public final class WeirPlugin extends BasePlugin {

  /** Called by Nextflow. */
  public WeirPlugin(PluginWrapper wrapper) {
    super(wrapper);
  }
}
