package dev.weir.yarn.ask;

import dev.weir.yarn.lookup.FilesResourceName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that an application names for all of its containers at submission, for
 * ApplicationMasters that cannot name any. The key {@code weir.inputs} has what would follow {@code
 * weir:}, as a scheduling property or in application tags of the form {@code weir.inputs=...}.
 */
public final class ApplicationInputs {

  public static final String KEY = "weir.inputs";

  private static final String TAG = KEY + "=";
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationInputs.class);

  private ApplicationInputs() {}

  /** Whether an application names inputs, valid or not. Takes no lock. */
  public static boolean areNamed(RMApp app) {
    Map<String, String> properties = app.getApplicationSchedulingEnvs();
    Set<String> tags = app.getApplicationTags();
    return (properties != null && properties.containsKey(KEY))
        || (tags != null && tags.stream().anyMatch(tag -> tag.startsWith(TAG)));
  }

  /** The resource name of an application's inputs; null if it has no valid one. Takes no lock. */
  public static @Nullable String of(@Nullable RMApp app) {
    return app == null ? null : of(app.getApplicationSchedulingEnvs(), app.getApplicationTags());
  }

  /** The property takes precedence over tags. The paths of several tags are combined. */
  public static @Nullable String of(
      @Nullable Map<String, String> properties, @Nullable Collection<String> tags) {
    String property = properties == null ? null : properties.get(KEY);
    if (property != null) {
      return name(List.of(property));
    }
    List<String> values = new ArrayList<>();
    if (tags != null) {
      for (String tag : tags) {
        if (tag.startsWith(TAG)) {
          values.add(tag.substring(TAG.length()));
        }
      }
    }
    return values.isEmpty() ? null : name(values);
  }

  private static @Nullable String name(List<String> values) {
    LinkedHashSet<String> paths = new LinkedHashSet<>();
    int maxNodes = 0;
    long rate = 0;
    for (String value : values) {
      try {
        FilesResourceName name =
            FilesResourceName.parse(
                FilesResourceName.is(value) ? value : FilesResourceName.PREFIX + value.trim());
        paths.addAll(name.paths());
        maxNodes = Math.max(maxNodes, name.maxNodes());
        rate = Math.max(rate, name.bytesPerSecond());
      } catch (IllegalArgumentException e) {
        LOG.debug("Refused {}", KEY, e);
      }
    }
    if (paths.isEmpty()) {
      return null;
    }
    String name = new FilesResourceName(List.copyOf(paths), maxNodes, rate).resourceName();
    return name.length() <= FilesResourceName.MAX_LENGTH ? name : null;
  }

  /**
   * Adds an ask for the inputs beside each ask for any node, on keys that name no files themselves.
   */
  static List<ResourceRequest> addTo(List<ResourceRequest> asks, String name) {
    Set<AskKey> named = new HashSet<>();
    for (ResourceRequest ask : asks) {
      if (FilesResourceName.is(ask.getResourceName())) {
        named.add(AskKey.of(ask));
      }
    }
    List<ResourceRequest> all = new ArrayList<>(asks);
    for (ResourceRequest ask : asks) {
      if (ResourceRequest.isAnyLocation(ask.getResourceName()) && !named.contains(AskKey.of(ask))) {
        ResourceRequest inputs = ResourceRequest.clone(ask);
        inputs.setResourceName(name);
        inputs.setNodeLabelExpression(null);
        all.add(inputs);
      }
    }
    return all;
  }
}
