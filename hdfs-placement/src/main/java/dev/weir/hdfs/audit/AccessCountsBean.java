package dev.weir.hdfs.audit;

import java.util.Arrays;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/**
 * The bean {@value #OBJECT_NAME}. Its attribute {@value #COUNTS} has megabytes. It is therefore not
 * among the bean's attributes, which monitoring systems read, but can be read by its name ({@code
 * /jmx?get=BEAN::Counts}).
 */
public final class AccessCountsBean implements DynamicMBean {
  public static final String OBJECT_NAME = "Hadoop:service=NameNode,name=WeirAccess";

  /** The name of the attribute with the counts. */
  public static final String COUNTS = "Counts";

  private final AccessCounter counter;

  AccessCountsBean(AccessCounter counter) {
    this.counter = counter;
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    // Without Object a numeric conversion would make all numbers doubles.
    return switch (attribute) {
      case "Started" -> (Object) counter.started();
      case "HalfLifeMs" -> counter.halfLife().toMillis();
      case "Paths" -> counter.paths();
      case "Counted" -> counter.counted();
      case "Dropped" -> counter.dropped();
      case "Error" -> counter.error();
      case COUNTS -> counter.lines();
      default -> throw new AttributeNotFoundException(attribute);
    };
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes = {
      attribute("Started", "long", "The time at which counting began"),
      attribute("HalfLifeMs", "long", "The time in which a count halves"),
      attribute("Paths", "int", "The paths that are counted"),
      attribute("Counted", "long", "The accesses that were counted"),
      attribute("Dropped", "long", "The accesses that came too fast to be counted"),
      attribute("Error", "double", "The greatest error of a count, which is never too high"),
    };
    return new MBeanInfo(
        AccessCountsBean.class.getName(), "Counted accesses", attributes, null, null, null);
  }

  private static MBeanAttributeInfo attribute(String name, String type, String description) {
    return new MBeanAttributeInfo(name, type, description, true, false, false);
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names) {
      try {
        list.add(new Attribute(name, getAttribute(name)));
      } catch (AttributeNotFoundException e) {
        throw new IllegalArgumentException(Arrays.toString(names), e);
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " cannot be set");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public @Nullable Object invoke(String action, Object[] parameters, String[] signature) {
    return null;
  }
}
