<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\ConnectionException;
use ScreenCapture\Exception\UsageException;

/**
 * Sends a request with cURL, and keeps its connection open for the next one.
 *
 * @internal
 */
final class Sender
{
    /** Headers for the service alone. */
    private const UNREDIRECTED = ['Authorization', 'Idempotency-Key', 'Content-Type'];

    private const MAX_REDIRECTS = 10;

    private ?\CurlHandle $curl = null;

    /** @param array<int, mixed> $curlOptions */
    public function __construct(private readonly array $curlOptions)
    {
    }

    /**
     * Throws `ScreenCaptureException` for all but a success. Follows redirects without the key. With `$path`, writes the content to that
     * file, and leaves `content` empty.
     *
     * @param array<string, string> $headers
     */
    public function send(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        Deadline $deadline,
        ?string $path = null,
    ): Response {
        for ($redirects = 0; $redirects <= self::MAX_REDIRECTS; $redirects++) {
            [$response, $location] = $this->request($method, $url, $headers, $body, $deadline, $path);
            if ($response->status < 300) {
                return $response;
            }
            if ($location === null) {
                throw ErrorFrom::response($response);
            }
            if (!in_array($response->status, [307, 308], true)) {
                [$method, $body] = ['GET', null];
            }
            $url = $location;
            $headers = array_diff_key($headers, array_flip(self::UNREDIRECTED));
        }

        throw new ConnectionException("The service redirects more than $redirects times.");
    }

    /**
     * @param array<string, string> $headers
     *
     * @return array{Response, string|null} The response, and the address that it redirects to.
     */
    private function request(
        string $method,
        string $url,
        array $headers,
        ?string $body,
        Deadline $deadline,
        ?string $path,
    ): array {
        $curl = $this->curl ??= curl_init();
        curl_reset($curl);
        $received = [];
        $content = '';
        $file = null;
        $lines = array_map(static fn (string $name, string $value) => "$name: $value", array_keys($headers), $headers);
        $options = [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:', ...($body === null ? ['Content-Type:'] : [])],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ceil($deadline->remaining() * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $received = []; // an interim response came before
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $received[strtolower($name)] = trim($value);
                }

                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $curl, string $piece) use (&$content, &$file): int {
                if ($file === null || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 300) {
                    $content .= $piece;

                    return strlen($piece);
                }

                return (int) fwrite($file, $piece);
            },
        ];
        if ($body !== null || $method === 'POST') {
            $options[CURLOPT_POSTFIELDS] = $body ?? '';
        }
        if ($path !== null) {
            $file = @fopen($path, 'wb') ?: throw new UsageException("Can't write $path.");
        }
        try {
            curl_setopt_array($curl, $options + $this->curlOptions);
            if (curl_exec($curl) === false) {
                throw match (curl_errno($curl)) {
                    CURLE_OPERATION_TIMEDOUT => $deadline->exception(),
                    CURLE_WRITE_ERROR => new UsageException("Can't write $path."),
                    default => ConnectionException::of($url, curl_error($curl)),
                };
            }
        } finally {
            if ($file !== null) {
                fclose($file);
            }
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);

        return [new Response($status, $received, $content), curl_getinfo($curl, CURLINFO_REDIRECT_URL) ?: null];
    }
}
