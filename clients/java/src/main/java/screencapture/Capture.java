package screencapture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A capture with its bytes. */
public final class Capture {
    private final CaptureInfo info;
    private final byte[] content;

    Capture(CaptureInfo info, byte[] content) {
        this.info = info;
        this.content = content;
    }

    /** What the headers of the capture say. */
    public CaptureInfo info() {
        return info;
    }

    /** The bytes of the result. */
    public byte[] content() {
        return content;
    }

    /** The result as text, for the formats html, markdown, text, and json. */
    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Writes the bytes to a file. */
    public void save(Path path) {
        try {
            Files.write(path, content);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
