package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.io.StringReader;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads XML forward. A document type, and with it every entity of its own, is refused; nothing
 * outside of the text is looked at. Not thread-safe.
 */
final class XmlEvents {

  private final WorkflowSource source;
  private final XMLStreamReader reader;

  XmlEvents(WorkflowSource source) throws WorkflowException {
    this.source = source;
    // The JDK's own: Hadoop's class path has others, which know other properties.
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
    try {
      reader = factory.createXMLStreamReader(new StringReader(source.text()));
    } catch (XMLStreamException e) {
      throw invalid(e);
    }
  }

  /**
   * Goes to the next event.
   *
   * @return one of {@link XMLStreamConstants}
   */
  int next() throws WorkflowException {
    try {
      int event = reader.next();
      if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
        throw source.problem(
            place(),
            "the file has a document type or an entity of its own, which is not read here",
            "remove the <!DOCTYPE ...> and write what its entities stand for");
      }
      return event;
    } catch (XMLStreamException e) {
      throw invalid(e);
    }
  }

  private WorkflowException invalid(XMLStreamException e) {
    Location at = e.getLocation();
    String message = String.valueOf(e.getMessage()).replaceFirst("(?s)^.*Message: ", "");
    return new WorkflowException(
        source.name(),
        at == null ? "" : new TextPlace(at.getLineNumber(), at.getColumnNumber()).toString(),
        "no valid XML (" + message.strip() + ")",
        "correct it at that place",
        e);
  }

  /** Where the last event ended, which is as good as the library tells. */
  TextPlace place() {
    Location at = reader.getLocation();
    return new TextPlace(Math.max(1, at.getLineNumber()), Math.max(1, at.getColumnNumber()));
  }

  /** The name of the element that the last event began or ended, without its namespace. */
  String name() {
    return reader.getLocalName();
  }

  /** The text of the last event. */
  String text() {
    return reader.getText();
  }

  Optional<String> attribute(String name) {
    return Optional.ofNullable(reader.getAttributeValue(null, name));
  }

  String require(String attribute) throws WorkflowException {
    Optional<String> value = attribute(attribute).filter(text -> !text.isBlank());
    if (value.isEmpty()) {
      throw source.problem(
          place(),
          "the element <" + name() + "> has no attribute '" + attribute + "'",
          "add " + attribute + "=\"...\"");
    }
    return value.get();
  }
}
