<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\UsageException;

/**
 * Values as requests have them.
 *
 * @internal
 */
final class Json
{
    /** An array without entries is an object of the API. */
    public static function body(mixed $value): string
    {
        try {
            return $value === [] ? '{}' : self::encode($value);
        } catch (\JsonException $error) {
            throw new UsageException("The options can't be sent as JSON: {$error->getMessage()}.", previous: $error);
        }
    }

    /** @param array<string, mixed> $query Entries with null are left out. */
    public static function query(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);

        return $given === [] ? '' : '?' . http_build_query(array_map(self::text(...), $given), '', '&');
    }

    /** A value as a query has it. */
    public static function text(mixed $value): string
    {
        return is_string($value) ? $value : self::encode($value);
    }

    private static function encode(mixed $value): string
    {
        return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
    }
}
