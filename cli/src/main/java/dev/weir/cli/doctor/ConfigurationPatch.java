package dev.weir.cli.doctor;

import dev.weir.cli.doctor.Finding.Setting;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Writes copies of Hadoop's configuration files with changed settings. All else, also comments and
 * the order of settings, stays, so that an administrator can compare the files.
 */
final class ConfigurationPatch {

  private static final String EMPTY = "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>";

  /** Declarations and comments before the root. */
  private static final Pattern PROLOG =
      Pattern.compile("(?:\\s|<\\?.*?\\?>|<!--.*?-->)*", Pattern.DOTALL);

  private ConfigurationPatch() {}

  /**
   * Writes a copy of each file that has changed settings.
   *
   * @param source directory of the files; a missing file counts as empty
   * @param target directory of the copies, which is created
   * @return the copies
   * @throws IOException if a file cannot be read or written
   */
  static List<Path> write(Path source, Path target, List<Setting> settings) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String name : settings.stream().map(Setting::file).distinct().sorted().toList()) {
      Path file = source.resolve(name);
      String text = Files.exists(file) ? Files.readString(file) : EMPTY;
      try {
        Element root = parse(text);
        settings.stream()
            .filter(setting -> setting.file().equals(name))
            .forEach(setting -> set(root, setting));
        Files.createDirectories(target);
        Files.writeString(target.resolve(name), prolog(text) + format(root) + "\n");
      } catch (ParserConfigurationException | SAXException | TransformerException e) {
        throw new IOException("Cannot patch " + file + ": " + e.getMessage(), e);
      }
      written.add(target.resolve(name));
    }
    return written;
  }

  private static Element parse(String text)
      throws ParserConfigurationException, SAXException, IOException {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(text)))
        .getDocumentElement();
  }

  private static String prolog(String text) {
    Matcher prolog = PROLOG.matcher(text);
    return prolog.lookingAt() ? prolog.group() : "";
  }

  private static String format(Element root) throws TransformerException {
    Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
    transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    StringWriter out = new StringWriter();
    transformer.transform(new DOMSource(root), new StreamResult(out));
    return out.toString();
  }

  private static void set(Element root, Setting setting) {
    boolean found = false;
    NodeList names = root.getElementsByTagName("name");
    for (int i = 0; i < names.getLength(); i++) {
      Node name = names.item(i);
      if (name.getTextContent().strip().equals(setting.key())
          && name.getParentNode() instanceof Element property) {
        Node value = property.getElementsByTagName("value").item(0);
        (value == null ? add(property, "value") : value).setTextContent(setting.value());
        found = true;
      }
    }
    if (!found) {
      addText(root, "\n  ");
      Element property = add(root, "property");
      addText(property, "\n    ");
      add(property, "name").setTextContent(setting.key());
      addText(property, "\n    ");
      add(property, "value").setTextContent(setting.value());
      addText(property, "\n  ");
      addText(root, "\n");
    }
  }

  private static Element add(Element parent, String name) {
    Element added = parent.getOwnerDocument().createElement(name);
    parent.appendChild(added);
    return added;
  }

  private static void addText(Element parent, String text) {
    parent.appendChild(parent.getOwnerDocument().createTextNode(text));
  }
}
