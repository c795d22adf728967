package screencapture;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one text of JSON. */
final class JsonParser {
    private static final int MAX_DEPTH = 200; // more than any answer of the service, less than the stack holds

    private final String text;
    private int at = 0;
    private int depth = 0;

    JsonParser(String text) {
        this.text = text;
    }

    Object parse() {
        Object value = value();
        skipSpace();
        if (at < text.length()) throw failure();
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        open('{');
        if (!skip('}')) {
            do {
                skipSpace();
                String name = string();
                expect(':');
                object.put(name, value());
            } while (skip(','));
            expect('}');
        }
        depth--;
        return object;
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        open('[');
        if (!skip(']')) {
            do {
                array.add(value());
            } while (skip(','));
            expect(']');
        }
        depth--;
        return array;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (true) {
            char each = next();
            if (each == '"') return string.toString();
            if (each < ' ') throw failure();
            string.append(each == '\\' ? escaped() : each);
        }
    }

    private char escaped() {
        char each = next();
        return switch (each) {
            case '"', '\\', '/' -> each;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                if (at + 4 > text.length()) throw failure();
                at += 4;
                try {
                    yield (char) Integer.parseInt(text, at - 4, at, 16);
                } catch (NumberFormatException error) {
                    throw failure();
                }
            }
            default -> throw failure();
        };
    }

    private Object number() {
        int start = at;
        boolean isWhole = true;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            isWhole &= ".eE".indexOf(text.charAt(at)) < 0;
            at++;
        }
        String number = text.substring(start, at);
        try {
            if (isWhole) return Long.valueOf(number);
            return Double.valueOf(number);
        } catch (NumberFormatException error) {
            at = start;
            throw failure();
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) throw failure();
        at += word.length();
        return value;
    }

    private void open(char bracket) {
        expect(bracket);
        if (++depth > MAX_DEPTH) throw failure();
    }

    private boolean skip(char wanted) {
        skipSpace();
        if (at >= text.length() || text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private void expect(char wanted) {
        if (!skip(wanted)) throw failure();
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
        if (at >= text.length()) throw failure();
        return text.charAt(at);
    }

    private char next() {
        char each = peek();
        at++;
        return each;
    }

    private IllegalArgumentException failure() {
        return new IllegalArgumentException("The text isn't JSON, at character " + at + ".");
    }
}
