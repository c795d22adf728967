<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

/**
 * Signed links: the URL of a capture that anyone can open, signed with HMAC-SHA256 and without a request to the service.
 *
 * @internal
 */
final class SignedLink
{
    /**
     * @param array<string, mixed> $options
     * @param int $expires In seconds since 1970, at most a year ahead.
     */
    public static function create(
        string $baseUrl,
        array $options,
        int $keyId,
        #[\SensitiveParameter] string $signingSecret,
        int $expires,
    ): string {
        $values = ['key_id' => $keyId, 'expires' => $expires] + $options;
        ksort($values, SORT_STRING);
        $pairs = [];
        foreach ($values as $name => $value) {
            foreach (is_array($value) && array_is_list($value) ? $value : [$value] as $each) {
                if ($each !== null) {
                    $pairs[] = rawurlencode($name) . '=' . rawurlencode(Json::text($each));
                }
            }
        }
        $query = implode('&', $pairs);

        return "$baseUrl/api/v1/screenshot?$query&signature=" . hash_hmac('sha256', $query, $signingSecret);
    }
}
