<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

/**
 * What the caller says about one call.
 *
 * @internal
 */
final class Call
{
    /** Longer than the service takes for a capture: 90 seconds, and a retry. */
    private const DEFAULT_TIMEOUT_S = 200.0;

    private const DEFAULT_RETRIES = 2;

    public readonly float $timeout;

    public readonly int $retries;

    public function __construct(
        ?float $timeout = null,
        ?int $retries = null,
        public readonly ?string $idempotencyKey = null,
        float $defaultTimeout = self::DEFAULT_TIMEOUT_S,
    ) {
        $this->timeout = $timeout ?? $defaultTimeout;
        $this->retries = $retries ?? self::DEFAULT_RETRIES;
    }
}
