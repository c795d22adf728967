package screencapture;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One call. The body is null for none. A successful response goes into the file, if there is one. A call that is a capture waits for
 * the result of one, whose option <code>timeout</code> is the time of all attempts.
 */
record Call(String method, String path, Map<String, Object> query, Map<String, Object> body, Path file, boolean isCapture) {
    static Call get(String path) {
        return new Call("GET", path, Map.of(), null, null, false);
    }

    static Call get(String path, Options query) {
        return new Call("GET", path, query == null ? Map.of() : query.values(), null, null, false);
    }

    static Call get(String path, Map<String, Object> query) {
        return new Call("GET", path, query, null, null, false);
    }

    static Call delete(String path) {
        return new Call("DELETE", path, Map.of(), null, null, false);
    }

    static Call post(String path) {
        return new Call("POST", path, Map.of(), null, null, false);
    }

    static Call post(String path, Options body) {
        return new Call("POST", path, Map.of(), body.values(), null, false);
    }

    static Call patch(String path, Options body) {
        return new Call("PATCH", path, Map.of(), body.values(), null, false);
    }

    static Call capture(Options body) {
        return new Call("POST", ScreenCapture.CAPTURES, Map.of(), body.values(), null, true);
    }

    Call into(Path target) {
        return new Call(method, path, query, body, target, isCapture);
    }

    Call with(String name, Object value) {
        Map<String, Object> values = new LinkedHashMap<>(body);
        values.put(name, value);
        return new Call(method, path, query, values, file, isCapture);
    }

    Call withBody(Map<String, Object> values) {
        return new Call(method, path, query, values, file, isCapture);
    }

    String task() {
        return method + " " + path;
    }
}
