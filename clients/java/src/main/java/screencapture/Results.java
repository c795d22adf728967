package screencapture;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts between JSON and the records of results. A value that a record doesn't have is ignored: a newer service can send more. */
final class Results {
    private Results() {}

    static <T extends Record> T create(Class<T> type, Object json) {
        Map<?, ?> values = json instanceof Map<?, ?> map ? map : Map.of();
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int index = 0; index < components.length; index++) {
            types[index] = components[index].getType();
            arguments[index] = convert(components[index].getGenericType(), values.get(apiName(components[index])));
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(arguments);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    static <T extends Record> List<T> createList(Class<T> type, Object json) {
        List<T> list = new ArrayList<>();
        if (json instanceof List<?> items) {
            for (Object item : items) list.add(create(type, item));
        }
        return list;
    }

    /** The values by the names of the API. */
    static Map<String, Object> toMap(Record result) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (RecordComponent component : result.getClass().getRecordComponents()) {
            Object value;
            try {
                value = component.getAccessor().invoke(result);
            } catch (ReflectiveOperationException error) {
                throw new IllegalStateException(error);
            }
            Nullable nullable = component.getAnnotation(Nullable.class);
            boolean isLeftOut = nullable != null && nullable.optional() && isEmpty(value);
            if (!isLeftOut) map.put(apiName(component), value);
        }
        return map;
    }

    private static boolean isEmpty(Object value) {
        return value == null || (value instanceof List<?> list && list.isEmpty()) || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    private static Object convert(Type type, Object json) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == List.class ? list(arguments[0], json) : map(arguments[1], json);
        }
        if (type instanceof Class<?> plain && plain.isRecord()) {
            return json == null ? null : create(plain.asSubclass(Record.class), json);
        }
        if (type == long.class) return json instanceof Number number ? number.longValue() : 0L;
        if (type == double.class) return json instanceof Number number ? number.doubleValue() : 0.0;
        if (type == Long.class && json instanceof Number number) return number.longValue();
        if (type == Double.class && json instanceof Number number) return number.doubleValue();
        if (type == boolean.class) return Boolean.TRUE.equals(json);
        if (type == String.class) return json == null ? null : json.toString();
        return type == Object.class || type == Boolean.class && json instanceof Boolean ? json : null;
    }

    private static List<Object> list(Type type, Object json) {
        if (!(json instanceof List<?> items)) return List.of();
        List<Object> list = new ArrayList<>();
        for (Object item : items) list.add(convert(type, item));
        return list;
    }

    private static Map<String, Object> map(Type type, Object json) {
        if (!(json instanceof Map<?, ?> values)) return null;
        Map<String, Object> map = new LinkedHashMap<>();
        values.forEach((name, value) -> map.put(name.toString(), convert(type, value)));
        return map;
    }

    /** <code>fileSizeBytes</code> becomes <code>file_size_bytes</code>. */
    private static String apiName(RecordComponent component) {
        StringBuilder name = new StringBuilder();
        for (char each : component.getName().toCharArray()) {
            if (Character.isUpperCase(each)) name.append('_');
            name.append(Character.toLowerCase(each));
        }
        return name.toString();
    }
}
