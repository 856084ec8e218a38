package io.github.roram.storage.ignite;

import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * Makes of the settings that docs/ignite.md shows what Spring would: so nodes of tests have them.
 */
final class Beans {

  private Beans() {}

  static IgniteConfiguration ofThePage() throws Exception {
    String page = Files.readString(page());
    String xml = page.substring(page.indexOf("```xml\n") + 7);
    Element beans =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml.substring(0, xml.indexOf("```")))))
            .getDocumentElement();
    return (IgniteConfiguration) bean(children(beans).get(0));
  }

  private static Path page() throws IOException {
    return Path.of("..", "..", "docs", "ignite.md").toRealPath();
  }

  private static List<Element> children(Element of) {
    List<Element> children = new ArrayList<>();
    for (Node child = of.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static Object bean(Element of) throws Exception {
    Object bean = Class.forName(of.getAttribute("class")).getConstructor().newInstance();
    for (Element property : children(of)) {
      set(bean, property);
    }
    return bean;
  }

  private static void set(Object bean, Element property) throws Exception {
    String name = property.getAttribute("name");
    String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
    for (Method method : bean.getClass().getMethods()) {
      if (method.getName().equals(setter) && method.getParameterCount() == 1) {
        method.invoke(bean, value(property, method.getParameterTypes()[0]));
        return;
      }
    }
    throw new IllegalArgumentException("there is no property " + name + " of " + bean.getClass());
  }

  private static Object value(Element property, Class<?> type) throws Exception {
    if (property.hasAttribute("value")) {
      return parsed(property.getAttribute("value"), type);
    }
    Element child = children(property).get(0);
    if (child.getTagName().equals("list")) {
      return children(child).stream().map(Element::getTextContent).toList();
    }
    Object bean = bean(child);
    if (!type.isArray()) {
      return bean;
    }
    Object array = Array.newInstance(type.getComponentType(), 1);
    Array.set(array, 0, bean);
    return array;
  }

  private static Object parsed(String text, Class<?> type) {
    if (type == int.class) {
      return Integer.parseInt(text);
    } else if (type == long.class) {
      return Long.parseLong(text);
    } else if (type == boolean.class) {
      return Boolean.parseBoolean(text);
    } else if (type.isEnum()) {
      for (Object constant : type.getEnumConstants()) {
        if (constant.toString().equals(text)) {
          return constant;
        }
      }
    }
    return text;
  }
}
