package screencapture;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON (RFC 8259), since the standard library of Java has no reader. */
public final class Json {
    private Json() {}

    /**
     * The value of a text: a map, a list, a string, a <code>Long</code>, a <code>Double</code>, a <code>Boolean</code>, or
     * <code>null</code>. Throws <code>IllegalArgumentException</code> for a text that isn't JSON.
     */
    public static Object parse(String text) {
        return new JsonParser(text).parse();
    }

    /** The text of a value: also of options and results, which get the names of the API. */
    public static String write(Object value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    private static void write(Object value, StringBuilder text) {
        if (value instanceof Options options) {
            write(options.values(), text);
        } else if (value instanceof Record result) {
            write(Results.toMap(result), text);
        } else if (value instanceof Value named) {
            writeString(named.value(), text);
        } else if (value instanceof Map<?, ?> map) {
            writeObject(map, text);
        } else if (value instanceof List<?> list) {
            writeArray(list, text);
        } else if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Integer) {
            text.append(value);
        } else if (value instanceof Double number) {
            text.append(writeNumber(number));
        } else {
            writeString(value.toString(), text);
        }
    }

    private static void writeObject(Map<?, ?> map, StringBuilder text) {
        text.append('{');
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<?, ?> entry = entries.next();
            writeString(entry.getKey().toString(), text);
            text.append(':');
            write(entry.getValue(), text);
            if (entries.hasNext()) text.append(',');
        }
        text.append('}');
    }

    private static void writeArray(List<?> list, StringBuilder text) {
        text.append('[');
        Iterator<?> items = list.iterator();
        while (items.hasNext()) {
            write(items.next(), text);
            if (items.hasNext()) text.append(',');
        }
        text.append(']');
    }

    private static String writeNumber(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) throw new IllegalArgumentException("JSON has no " + number);
        return number == Math.rint(number) && Math.abs(number) < 1e15 ? Long.toString((long) number) : Double.toString(number);
    }

    private static void writeString(String value, StringBuilder text) {
        text.append('"');
        for (int index = 0; index < value.length(); index++) {
            char each = value.charAt(index);
            switch (each) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (each < ' ' || Character.isSurrogate(each)) text.append(String.format("\\u%04x", (int) each));
                    else text.append(each);
                }
            }
        }
        text.append('"');
    }
}
