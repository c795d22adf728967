package screencapture;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Values as the query of an address has them. */
final class Query {
    private Query() {}

    /** The query, sorted by name. A list is sent as several parameters of the same name. */
    static String of(Map<String, Object> values) {
        List<String> pairs = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> {
            for (Object each : value instanceof List<?> list ? list : Collections.singletonList(value)) {
                if (each != null) pairs.add(encode(name) + "=" + encode(text(each)));
            }
        });
        return String.join("&", pairs);
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String text(Object value) {
        if (value instanceof Value named) return named.value();
        return value instanceof String text ? text : Json.write(value);
    }
}
