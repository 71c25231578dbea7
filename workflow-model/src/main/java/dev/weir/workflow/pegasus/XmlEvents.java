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
 * Reads XML events. A document type declaration, and so custom entities, are refused. No external
 * data is read. Not thread-safe.
 */
final class XmlEvents {

  private final WorkflowSource source;
  private final XMLStreamReader reader;

  XmlEvents(WorkflowSource source) throws WorkflowException {
    this.source = source;
    // Uses the JDK's parser, because others on Hadoop's class path have other properties.
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

  /** Moves to the next event, and returns its {@link XMLStreamConstants}. */
  int next() throws WorkflowException {
    try {
      int event = reader.next();
      if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
        throw source.problem(
            place(),
            "the file has a document type or a custom entity, which is not supported",
            "remove the <!DOCTYPE ...> and replace its entities by their values");
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
        "invalid XML (" + message.strip() + ")",
        "correct it at that place",
        e);
  }

  /** Returns the end of the last event, which is the best position that the library has. */
  TextPlace place() {
    Location at = reader.getLocation();
    return new TextPlace(Math.max(1, at.getLineNumber()), Math.max(1, at.getColumnNumber()));
  }

  /** Returns the local name of the element of the last event. */
  String name() {
    return reader.getLocalName();
  }

  /** Returns the text of the last event. */
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
