<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\TimeoutException;

/**
 * The time limit of a call with its retries.
 *
 * @internal
 */
final class Deadline
{
    private readonly float $startedAt;

    /** @param string $task What takes the time, for the message, such as `GET /api/v1/account`. */
    public function __construct(private readonly string $task, private readonly float $timeout)
    {
        $this->startedAt = self::now();
    }

    /** The seconds since the start. */
    public function elapsed(): float
    {
        return self::now() - $this->startedAt;
    }

    /** The seconds that are left. Throws if none are. */
    public function remaining(): float
    {
        $seconds = $this->timeout - $this->elapsed();

        return $seconds > 0 ? $seconds : throw $this->exception();
    }

    /** Waits, but not beyond the time limit. */
    public function sleep(float $seconds): void
    {
        usleep((int) ceil(max(0.0, min($seconds, $this->remaining())) * 1e6));
    }

    public function exception(): TimeoutException
    {
        return new TimeoutException(sprintf("%s took longer than %G s. Raise 'timeout'.", $this->task, $this->timeout));
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }
}
