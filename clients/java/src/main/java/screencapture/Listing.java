package screencapture;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A list that is requested page by page while it is read: <code>for (CaptureLog log : client.captures())</code>. */
public final class Listing<T> implements Iterable<T> {
    private final Supplier<Pages<T>> start;

    Listing(Supplier<Pages<T>> start) {
        this.start = start;
    }

    /** Walks through the list. */
    @Override
    public Iterator<T> iterator() {
        Pages<T> pages = start.get();
        return new Iterator<>() {
            private Iterator<T> page = List.<T>of().iterator();

            @Override
            public boolean hasNext() {
                while (!page.hasNext() && pages.hasMore()) page = pages.next().iterator();
                return page.hasNext();
            }

            @Override
            public T next() {
                if (!hasNext()) throw new NoSuchElementException();
                return page.next();
            }
        };
    }

    /** The list as a stream. */
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /** Requests pages. A page can be empty although more follow. */
    interface Pages<T> {
        boolean hasMore();

        List<T> next();
    }
}
