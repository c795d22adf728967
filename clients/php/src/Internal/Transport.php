<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Exception\ApiException;
use ScreenCapture\Exception\ScreenCaptureException;
use ScreenCapture\Exception\UsageException;

/**
 * Sends requests with the API key, and retries those that can succeed later.
 *
 * @internal
 */
final class Transport
{
    public readonly string $baseUrl;

    private readonly ?string $key;

    private readonly Sender $sender;

    /**
     * Throws `UsageException` for a base URL or a key that no request could use.
     *
     * @param array<int, mixed> $curlOptions
     */
    public function __construct(#[\SensitiveParameter] ?string $key, ?string $baseUrl, array $curlOptions)
    {
        $this->baseUrl = self::parseBaseUrl($baseUrl);
        $this->key = $key === null || $key === '' ? null : self::parseKey($key);
        $this->sender = new Sender($curlOptions);
    }

    /** @return array{baseUrl: string} What dumps show: the key isn't in it. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * Sends a call and returns the parsed JSON of its response.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    public function json(
        string $method,
        string $path,
        Call $call,
        array $query = [],
        ?array $body = null,
        bool $isCapture = false,
    ): mixed {
        return $this->send($method, $path, $call, $query, $body, isCapture: $isCapture)->json();
    }

    /**
     * Sends a call. With `$file`, each attempt writes the response to that file. A call that `$isCapture` waits for the result of one, whose
     * option `timeout` is the time of all attempts. Throws `ScreenCaptureException`; the last error if there is no time for another attempt.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    public function send(
        string $method,
        string $path,
        Call $call,
        array $query = [],
        ?array $body = null,
        ?string $file = null,
        bool $isCapture = false,
    ): Response {
        $deadline = new Deadline("$method $path", $call->timeout);
        $url = $this->baseUrl . $path . Json::query($query);
        $headers = $this->headers($method, $call, $body !== null);
        for ($attempt = 0; ; $attempt++) {
            try {
                $text = $body === null ? null : Json::body($body);

                return $this->sender->send($method, $url, $headers, $text, $deadline, $file);
            } catch (ScreenCaptureException $error) {
                $delay = RetryDelay::beforeAttempt($error, $attempt);
                $isLast = $attempt >= $call->retries || !RetryDelay::canRetry($error);
                if ($isLast || $delay >= $deadline->remaining()) {
                    throw $error;
                }
                if ($isCapture && isset($body['timeout'])) {
                    $left = self::captureTimeout($body, $deadline->elapsed() + $delay) ?? throw $error;
                    if ($call->idempotencyKey === null && self::hasEnded($error)) {
                        $body['timeout'] = $left;
                        $headers = $this->headers($method, $call, true);
                    }
                }
            }
            $deadline->sleep($delay);
        }
    }

    /**
     * The option `timeout` of the next attempt at a capture, which begins `$elapsed` seconds after the first one; null if it leaves no time.
     *
     * @param array<string, mixed> $body
     */
    private static function captureTimeout(array $body, float $elapsed): ?int
    {
        $left = (int) floor((float) $body['timeout'] - $elapsed);

        return $left < 1 || $left <= (float) ($body['delay'] ?? 0) ? null : $left;
    }

    /**
     * The service has ended a capture whose error it has told, so another one can have the rest of the time, under another name. After a
     * lost response the same request is sent again, to get its result.
     */
    private static function hasEnded(ScreenCaptureException $error): bool
    {
        return $error instanceof ApiException && $error->errorCode !== 'CONFLICT';
    }

    /** @return array<string, string> */
    private function headers(string $method, Call $call, bool $hasBody): array
    {
        if ($this->key === null) {
            throw new UsageException(
                "This call needs the 'key' of the client: an API key, cap_…. Pass it, or set SCREEN_CAPTURE_KEY.",
            );
        }
        $headers = ['User-Agent' => 'screen-capture-client-php/' . Version::VERSION, 'Authorization' => "Bearer $this->key"];
        if ($hasBody) {
            $headers['Content-Type'] = 'application/json';
        }
        $name = $call->idempotencyKey ?? ($call->retries > 0 ? bin2hex(random_bytes(16)) : null);
        if ($method === 'POST' && $name !== null) {
            $headers['Idempotency-Key'] = self::headerValue($name, 'idempotencyKey');
        }

        return $headers;
    }

    private static function parseBaseUrl(?string $baseUrl): string
    {
        if ($baseUrl === null || $baseUrl === '') {
            throw new UsageException(
                "The address of the service is missing: pass 'baseUrl', such as https://api.example.com, or set SCREEN_CAPTURE_URL.",
            );
        }
        $parts = parse_url($baseUrl);
        $isHttp = in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true);
        if (!$isHttp || ($parts['host'] ?? '') === '' || preg_match('/\s/', $baseUrl) === 1) {
            throw new UsageException(
                "'baseUrl' isn't a URL of a service, such as https://api.example.com. Pass it, or set SCREEN_CAPTURE_URL.",
            );
        }

        return rtrim($baseUrl, '/');
    }

    /** A header can't contain other characters, and an error would report the whole value. */
    private static function parseKey(#[\SensitiveParameter] string $key): string
    {
        $trimmed = trim($key);
        if (preg_match('/^[!-~]+$/D', $trimmed) !== 1) {
            throw new UsageException("'key' isn't an API key: it looks like cap_…, without spaces.");
        }

        return $trimmed;
    }

    private static function headerValue(string $value, string $name): string
    {
        if (preg_match('/^[!-~]+$/D', $value) !== 1) {
            throw new UsageException("'$name' can't contain spaces, control characters, or characters beyond ASCII.");
        }

        return $value;
    }
}
