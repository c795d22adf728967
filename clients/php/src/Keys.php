<?php

declare(strict_types=1);

namespace ScreenCapture;

use ScreenCapture\Internal\Call;
use ScreenCapture\Internal\Transport;

/**
 * The API keys of the account. Requires a key with the scope `keys`.
 *
 * @phpstan-import-type IssuedKey from Types
 * @phpstan-import-type Key from Types
 * @phpstan-import-type KeyChanges from Types
 * @phpstan-import-type KeyRotation from Types
 * @phpstan-import-type NewKey from Types
 */
final class Keys
{
    private const PATH = '/api/v1/keys';

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Lists the keys, oldest first.
     *
     * @return list<Key>
     */
    public function list(?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::PATH, new Call($timeout, $retries))['data'];
    }

    /**
     * Creates a key. Its text and signing secret appear in this answer only.
     *
     * @param NewKey $key
     *
     * @return IssuedKey
     */
    public function create(
        array $key,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::PATH, new Call($timeout, $retries, $idempotencyKey), body: $key);
    }

    /**
     * A key without its secrets.
     *
     * @return Key
     */
    public function get(int $keyId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::PATH . "/$keyId", new Call($timeout, $retries));
    }

    /**
     * Changes a key.
     *
     * @param KeyChanges $changes
     *
     * @return Key
     */
    public function change(int $keyId, array $changes, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('PATCH', self::PATH . "/$keyId", new Call($timeout, $retries), body: $changes);
    }

    /**
     * Revokes a key for good.
     *
     * @return Key
     */
    public function revoke(int $keyId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('DELETE', self::PATH . "/$keyId", new Call($timeout, $retries));
    }

    /**
     * Gives a key a new text and signing secret. The old text works for `overlap` seconds more, and so do links that the old secret
     * signed; without `overlap`, both stop at once, unless you give a `link_grace_period` for the links.
     *
     * @param KeyRotation $rotation
     *
     * @return IssuedKey
     */
    public function rotate(
        int $keyId,
        array $rotation = [],
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $call = new Call($timeout, $retries, $idempotencyKey);

        return $this->transport->json('POST', self::PATH . "/$keyId/rotate", $call, body: $rotation ?: null);
    }

    /**
     * Ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed.
     *
     * @return Key
     */
    public function endPreviousTexts(int $keyId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('DELETE', self::PATH . "/$keyId/previous", new Call($timeout, $retries));
    }
}
