<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\ConnectionException;

/**
 * A response that was read to its end.
 *
 * @internal
 */
final class Response
{
    /** @param array<string, string> $headers By their names in lower case. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $content,
    ) {
    }

    /** The value of the JSON. */
    public function json(): mixed
    {
        try {
            return json_decode($this->content, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException) {
            throw new ConnectionException('The response is no JSON. Check the base URL, and proxies in front of it.');
        }
    }
}
