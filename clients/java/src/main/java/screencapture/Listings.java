package screencapture;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lists of the account. */
final class Listings {
    private static final int ITEMS_PER_PAGE = 100;
    private static final int MAX_SPAN_DAYS = 90; // of a request for statistics

    private Listings() {}

    /** Captures, newest first. Captures that are made meanwhile move later pages, but none is listed twice. */
    static Listing<CaptureLog> captures(Transport transport, CallSettings settings, Options filter) {
        return new Listing<>(() -> new Listing.Pages<>() {
            private final Map<String, Object> query = query(filter, "per_page");
            private long number = query.get("page") instanceof Number page ? page.longValue() : 1;
            private long oldest = Long.MAX_VALUE; // ids increase with time
            private boolean hasMore = true;

            @Override
            public boolean hasMore() {
                return hasMore;
            }

            @Override
            public List<CaptureLog> next() {
                query.put("page", number);
                Map<?, ?> page = answer(transport, settings, "/api/v1/usage", query);
                hasMore = page.get("last_page") instanceof Number last && number < last.longValue();
                number++;
                List<CaptureLog> fresh = new ArrayList<>();
                for (CaptureLog log : Results.createList(CaptureLog.class, page.get("data"))) {
                    if (log.id() >= oldest) continue;
                    oldest = log.id();
                    fresh.add(log);
                }
                return fresh;
            }
        });
    }

    /** The items of a list whose parts continue at <code>next_before</code>. */
    static <T extends Record> Listing<T> older(Class<T> type, Transport transport, CallSettings settings, String path, Options filter) {
        return new Listing<>(() -> new Listing.Pages<>() {
            private final Map<String, Object> query = query(filter, "limit");
            private boolean hasMore = true;

            @Override
            public boolean hasMore() {
                return hasMore;
            }

            @Override
            public List<T> next() {
                Map<?, ?> part = answer(transport, settings, path, query);
                Object before = part.get("next_before");
                hasMore = before != null;
                query.put("before", before);
                return Results.createList(type, part.get("data"));
            }
        });
    }

    /** Days, newest first. A range can be longer than the 90 days that one request covers. */
    static Listing<UsageDay> days(Transport transport, CallSettings settings, Options filter) {
        return new Listing<>(() -> new Listing.Pages<>() {
            private final Map<String, Object> query = new LinkedHashMap<>(filter == null ? Map.of() : filter.values());
            private LocalDate last = day("to", LocalDate.now(ZoneOffset.UTC));
            private final LocalDate first = day("from", last.minusDays((query.remove("days") instanceof Number days ? days.longValue() : 7) - 1));

            private LocalDate day(String name, LocalDate otherwise) {
                return query.get(name) instanceof String text ? LocalDate.parse(text) : otherwise;
            }

            @Override
            public boolean hasMore() {
                return !last.isBefore(first);
            }

            @Override
            public List<UsageDay> next() {
                LocalDate longest = last.minusDays(MAX_SPAN_DAYS - 1);
                LocalDate since = longest.isAfter(first) ? longest : first;
                query.put("from", since.toString());
                query.put("to", last.toString());
                last = since.minusDays(1);
                return Results.createList(UsageDay.class, answer(transport, settings, "/api/v1/usage/stats", query).get("series"));
            }
        });
    }

    private static Map<String, Object> query(Options filter, String size) {
        Map<String, Object> query = new LinkedHashMap<>(Map.of(size, ITEMS_PER_PAGE));
        if (filter != null) query.putAll(filter.values());
        return query;
    }

    private static Map<?, ?> answer(Transport transport, CallSettings settings, String path, Map<String, Object> query) {
        return transport.json(settings, Call.get(path, query)) instanceof Map<?, ?> answer ? answer : Map.of();
    }
}
