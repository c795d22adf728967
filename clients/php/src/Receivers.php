<?php

declare(strict_types=1);

namespace ScreenCapture;

use ScreenCapture\Internal\Call;
use ScreenCapture\Internal\Listing;
use ScreenCapture\Internal\Transport;

/**
 * The saved receivers of webhooks. A key needs the scopes `keys` and `capture`; for their deliveries, `usage`.
 *
 * @phpstan-import-type IssuedWebhookReceiver from Types
 * @phpstan-import-type NewWebhookReceiver from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookDeliveryFilter from Types
 * @phpstan-import-type WebhookReceiver from Types
 * @phpstan-import-type WebhookReceiverChanges from Types
 * @phpstan-import-type WebhookReplay from Types
 * @phpstan-import-type WebhookReplayRequest from Types
 * @phpstan-import-type WebhookSecretRotation from Types
 * @phpstan-import-type WebhookTest from Types
 */
final class Receivers
{
    private const PATH = '/api/v1/webhooks/receivers';

    /** @internal */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Lists the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused.
     *
     * @return list<WebhookReceiver>
     */
    public function list(?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::PATH, new Call($timeout, $retries))['data'];
    }

    /**
     * Saves a receiver. Send its `id` as `webhook_receiver`, and verify its webhooks with its `signing_secret`.
     *
     * @param NewWebhookReceiver $receiver
     *
     * @return IssuedWebhookReceiver
     */
    public function create(
        array $receiver,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::PATH, new Call($timeout, $retries, $idempotencyKey), body: $receiver);
    }

    /**
     * A receiver without its secret.
     *
     * @return WebhookReceiver
     */
    public function get(string $receiverId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::path($receiverId), new Call($timeout, $retries));
    }

    /**
     * Changes the name or the URL.
     *
     * @param WebhookReceiverChanges $changes
     *
     * @return WebhookReceiver
     */
    public function change(string $receiverId, array $changes, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('PATCH', self::path($receiverId), new Call($timeout, $retries), body: $changes);
    }

    /** Deletes a receiver: captures that name it are refused. */
    public function delete(string $receiverId, ?float $timeout = null, ?int $retries = null): void
    {
        $this->transport->send('DELETE', self::path($receiverId), new Call($timeout, $retries));
    }

    /** The secret that signs its webhooks. */
    public function secret(string $receiverId, ?float $timeout = null, ?int $retries = null): string
    {
        return $this->transport->json('GET', self::path($receiverId, '/secret'), new Call($timeout, $retries))['signing_secret'];
    }

    /**
     * Gives a receiver a new secret. For `overlap` seconds, a day unless you say otherwise, both secrets sign.
     *
     * @param WebhookSecretRotation $rotation
     *
     * @return IssuedWebhookReceiver
     */
    public function rotateSecret(
        string $receiverId,
        array $rotation = [],
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $call = new Call($timeout, $retries, $idempotencyKey);

        return $this->transport->json('POST', self::path($receiverId, '/rotate'), $call, body: $rotation ?: null);
    }

    /**
     * Pauses a receiver: its webhooks are kept for 7 days each.
     *
     * @return WebhookReceiver
     */
    public function pause(
        string $receiverId,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::path($receiverId, '/pause'), new Call($timeout, $retries, $idempotencyKey));
    }

    /**
     * Resumes a receiver: what was kept is sent, oldest first.
     *
     * @return WebhookReceiver
     */
    public function resume(
        string $receiverId,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::path($receiverId, '/resume'), new Call($timeout, $retries, $idempotencyKey));
    }

    /**
     * The deliveries of the last 30 days, newest first.
     *
     * @param WebhookDeliveryFilter $filters
     *
     * @return \Generator<int, WebhookDelivery>
     */
    public function deliveries(
        string $receiverId,
        array $filters = [],
        ?float $timeout = null,
        ?int $retries = null,
    ): \Generator {
        /** @var \Generator<int, WebhookDelivery> */
        return Listing::older($this->transport, self::path($receiverId, '/deliveries'), $filters, new Call($timeout, $retries));
    }

    /**
     * Sends a test event, and returns what the receiver answered.
     *
     * @return WebhookTest
     */
    public function test(
        string $receiverId,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::path($receiverId, '/test'), new Call($timeout, $retries, $idempotencyKey));
    }

    /**
     * Sends the webhooks of a time again, such as those of an outage.
     *
     * @param WebhookReplayRequest $time
     *
     * @return WebhookReplay
     */
    public function replay(
        string $receiverId,
        array $time,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::path($receiverId, '/replay'), new Call($timeout, $retries, $idempotencyKey), body: $time);
    }

    private static function path(string $receiverId, string $action = ''): string
    {
        return self::PATH . '/' . rawurlencode($receiverId) . $action;
    }
}
