package screencapture;

/** A value that the API names. */
public interface Value {
    /** The name in the API. */
    String value();
}
