package dev.weir.cli.doctor;

import dev.weir.cli.doctor.Finding.Setting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * Writes copies of Hadoop's configuration files with changed settings. All else, also comments, the
 * order of settings, the encoding and the permissions, stays, so that an administrator can compare
 * the files.
 */
final class ConfigurationPatch {

  private static final String EMPTY = "<?xml version=\"1.0\"?>\n<configuration>\n</configuration>";

  private static final Set<PosixFilePermission> NEW_FILE =
      PosixFilePermissions.fromString("rw-r--r--");

  /** The byte order mark, declarations and comments before the root. */
  private static final Pattern PROLOG =
      Pattern.compile("\\x{FEFF}?(?:\\s|<\\?.*?\\?>|<!--.*?-->)*", Pattern.DOTALL);

  private ConfigurationPatch() {}

  /**
   * Writes a copy of each file that has changed settings.
   *
   * @param source directory of the files; a missing file counts as empty
   * @param target directory of the copies, which is created
   * @return the copies
   * @throws IOException if a file cannot be read or written, or has a DOCTYPE
   */
  static List<Path> write(Path source, Path target, List<Setting> settings) throws IOException {
    List<Path> written = new ArrayList<>();
    for (String name : settings.stream().map(Setting::file).distinct().sorted().toList()) {
      Path file = source.resolve(name);
      List<Setting> changes =
          settings.stream().filter(setting -> setting.file().equals(name)).toList();
      Files.createDirectories(target);
      try {
        patch(file, target.resolve(name), changes);
      } catch (ParserConfigurationException
          | SAXException
          | TransformerException
          | CharacterCodingException
          | UnsupportedEncodingException e) {
        throw new IOException("Cannot patch " + file + ": " + e.getMessage(), e);
      }
      written.add(target.resolve(name));
    }
    return written;
  }

  private static void patch(Path file, Path target, List<Setting> changes)
      throws IOException, ParserConfigurationException, SAXException, TransformerException {
    boolean exists = Files.exists(file);
    byte[] bytes = exists ? Files.readAllBytes(file) : EMPTY.getBytes(StandardCharsets.UTF_8);
    Document document = parse(bytes);
    if (document.getDoctype() != null) {
      throw new IOException(
          "Cannot patch "
              + file
              + ": a copy would lose its DOCTYPE; remove the DOCTYPE or change the file by hand");
    }
    String declared = document.getXmlEncoding();
    Charset charset = Charset.forName(declared == null ? document.getInputEncoding() : declared);
    changes.forEach(setting -> set(document.getDocumentElement(), setting));
    String text = prolog(new String(bytes, charset)) + format(document, charset) + "\n";
    // Only the owner may read it until it has the permissions of the source.
    Path temporary = Files.createTempFile(target.toAbsolutePath().getParent(), ".weir", ".xml");
    try {
      Files.writeString(temporary, text, charset);
      Files.setPosixFilePermissions(
          temporary, exists ? Files.getPosixFilePermissions(file) : NEW_FILE);
      Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Parses a file in the encoding that it declares. Reads no other file. */
  private static Document parse(byte[] file)
      throws ParserConfigurationException, SAXException, IOException {
    DocumentBuilder builder = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
    builder.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader("")));
    return builder.parse(new ByteArrayInputStream(file));
  }

  private static String prolog(String text) {
    Matcher prolog = PROLOG.matcher(text);
    return prolog.lookingAt() ? prolog.group() : "";
  }

  private static String format(Document document, Charset charset) throws TransformerException {
    Transformer transformer = TransformerFactory.newDefaultInstance().newTransformer();
    transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
    transformer.setOutputProperty(OutputKeys.ENCODING, charset.name());
    StringWriter out = new StringWriter();
    transformer.transform(new DOMSource(document.getDocumentElement()), new StreamResult(out));
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
