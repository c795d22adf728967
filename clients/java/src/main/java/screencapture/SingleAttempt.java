package screencapture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An empty body that can be sent once. The HttpClient of the JDK repeats a GET by itself when its connection ends before the response,
 * without a setting against it. It asks for the length of the body at the start of each attempt, which fails the second one.
 */
final class SingleAttempt implements BodyPublisher {
    private final BodyPublisher empty = BodyPublishers.noBody();
    private final AtomicBoolean wasSent = new AtomicBoolean();

    @Override
    public long contentLength() {
        if (wasSent.getAndSet(true)) throw new UncheckedIOException(new IOException("The connection ended before the response."));
        return empty.contentLength();
    }

    @Override
    public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
        empty.subscribe(subscriber);
    }
}
