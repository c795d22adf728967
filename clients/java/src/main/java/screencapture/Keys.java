package screencapture;

import java.util.List;

/** The API keys of the account. The key of the client needs the scope <code>keys</code>. */
public final class Keys {
    private static final String PATH = "/api/v1/keys";

    private final Transport transport;
    private final CallSettings settings;

    Keys(Transport transport, CallSettings settings) {
        this.transport = transport;
        this.settings = settings;
    }

    /** Lists the keys, oldest first. */
    public List<Key> list() {
        return transport.list(Key.class, settings, Call.get(PATH));
    }

    /** Creates a key. Its text and signing secret appear in this answer only. */
    public IssuedKey create(NewKey key) {
        return transport.json(IssuedKey.class, settings, Call.post(PATH, key));
    }

    /** A key without its secrets. */
    public Key get(long keyId) {
        return transport.json(Key.class, settings, Call.get(path(keyId)));
    }

    /** Changes a key. */
    public Key change(long keyId, KeyChanges changes) {
        return transport.json(Key.class, settings, Call.patch(path(keyId), changes));
    }

    /** Revokes a key for good. */
    public Key revoke(long keyId) {
        return transport.json(Key.class, settings, Call.delete(path(keyId)));
    }

    /** Gives a key a new text and signing secret, and ends the old ones at once. */
    public IssuedKey rotate(long keyId) {
        return transport.json(IssuedKey.class, settings, Call.post(path(keyId) + "/rotate"));
    }

    /**
     * Gives a key a new text and signing secret. The old text works for <code>overlap</code> seconds more, and so do links that the old
     * secret signed; without <code>overlap</code>, both stop at once, unless you give a <code>linkGracePeriod</code> for the links.
     */
    public IssuedKey rotate(long keyId, KeyRotation rotation) {
        return transport.json(IssuedKey.class, settings, Call.post(path(keyId) + "/rotate", rotation));
    }

    /** Ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed. */
    public Key endPreviousTexts(long keyId) {
        return transport.json(Key.class, settings, Call.delete(path(keyId) + "/previous"));
    }

    private static String path(long keyId) {
        return PATH + "/" + keyId;
    }
}
