package screencapture;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a call sends: values by the names of the API. */
public abstract class Options {
    private final Map<String, Object> values;

    Options(Map<String, Object> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** The values by the names of the API. */
    public final Map<String, Object> values() {
        return values;
    }

    /** Collects values. */
    public abstract static class Builder<B extends Builder<B>> {
        final Map<String, Object> values = new LinkedHashMap<>();

        Builder() {}

        abstract B self();

        final B put(String name, Object value) {
            values.put(name, value);
            return self();
        }

        /** Sets an option that this version of the client doesn't know, by its name in the API. */
        public final B option(String name, Object value) {
            return put(name, value);
        }
    }
}
