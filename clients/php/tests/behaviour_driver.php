<?php

// Runs calls of the shared list of behaviours: one JSON object per line from stdin, one line with its answer to stdout.

declare(strict_types=1);

use ScreenCapture\Capture;
use ScreenCapture\CaptureInfo;
use ScreenCapture\Client;
use ScreenCapture\Exception\ApiException;
use ScreenCapture\Exception\ConnectionException;
use ScreenCapture\Exception\ScreenCaptureException;
use ScreenCapture\Exception\TimeoutException;
use ScreenCapture\Exception\WebhookVerificationException;

require __DIR__ . '/autoload.php';

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message): bool => (error_reporting() & $level) !== 0
    && throw new ErrorException($message, 0, $level));

while (($line = fgets(STDIN)) !== false) {
    try {
        $answer = ['value' => run(json_decode($line, true, 512, JSON_THROW_ON_ERROR))];
    } catch (ScreenCaptureException $error) {
        $answer = ['error' => describe($error)];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES), "\n";
}

/** @param array<string, mixed> $request */
function run(array $request): mixed
{
    $settings = $request['client'] ?? [];
    $client = new Client(
        key: $settings['key'] ?? null,
        baseUrl: $settings['base_url'] ?? null,
        keyId: $settings['key_id'] ?? null,
        signingSecret: $settings['signing_secret'] ?? null,
    );
    [$name, $collection] = array_reverse([$client, ...explode('.', $request['call'])]) + [1 => null];
    $target = is_string($collection) ? $client->$collection : $client;
    $method = lcfirst(str_replace('_', '', ucwords($name, '_')));
    $arguments = arguments(new ReflectionMethod($target, $method), $request);

    return value($target->$method(...$arguments), $request);
}

/**
 * The arguments of the call that the method takes, by their names: options are its array, whatever its name is.
 *
 * @param array<string, mixed> $request
 *
 * @return array<string, mixed>
 */
function arguments(ReflectionMethod $method, array $request): array
{
    $given = [
        'timeout' => $request['timeout'] ?? null,
        'retries' => $request['retries'] ?? null,
        'idempotencyKey' => $request['idempotency_key'] ?? null,
        'expiresIn' => $request['expires_in'] ?? null,
        'path' => $request['path'] ?? null,
        'headers' => $request['headers'] ?? null,
        'body' => $request['body'] ?? null,
    ];
    $arguments = [];
    foreach ($method->getParameters() as $parameter) {
        $name = $parameter->getName();
        $isId = in_array($name, ['requestId', 'keyId', 'receiverId', 'capture', 'exportId'], true);
        $value = array_key_exists($name, $given) ? $given[$name] : $request[$isId ? 'id' : 'options'] ?? null;
        if ($value !== null) {
            $arguments[$name] = $value;
        }
    }

    return $arguments;
}

/** @param array<string, mixed> $request */
function value(mixed $result, array $request): mixed
{
    if ($result instanceof Generator) {
        $items = [];
        foreach ($result as $item) {
            $items[] = $item;
            if (count($items) === ($request['limit'] ?? null)) {
                break;
            }
        }

        return $items;
    }
    if ($result instanceof CaptureInfo) {
        return captured($result, $request['path'] ?? '');
    }

    return match ($request['call']) {
        'link' => ['url' => $result],
        'export_captures' => ['text' => $result],
        default => $result,
    };
}

/** @return array<string, mixed> */
function captured(CaptureInfo $capture, string $path): array
{
    $value = [
        'mime_type' => $capture->mimeType,
        'size' => $capture instanceof Capture ? strlen($capture->content) : filesize($path),
        'from_cache' => $capture->fromCache,
        'final_url' => $capture->finalUrl,
        'warnings' => $capture->warnings,
        'problems' => $capture->problems,
        'quality' => $capture->quality,
        'request_id' => $capture->requestId,
    ];
    if ($capture instanceof Capture) {
        $value['sha256'] = hash('sha256', $capture->content);
        if (preg_match('#^(text/|application/json)#', $capture->mimeType) === 1) {
            $value['text'] = (string) $capture;
        }
    }

    return $value;
}

/** @return array<string, mixed> */
function describe(ScreenCaptureException $error): array
{
    $kind = match (true) {
        $error instanceof ApiException => 'api',
        $error instanceof ConnectionException => 'connection',
        $error instanceof TimeoutException => 'timeout',
        $error instanceof WebhookVerificationException => 'webhook',
        default => 'usage',
    };
    $class = preg_replace('/Exception$/', 'Error', (new ReflectionClass($error))->getShortName());
    $described = ['kind' => $kind, 'message' => $error->getMessage(), 'class' => $class];

    return $error instanceof ApiException ? $described + [
        'code' => $error->errorCode,
        'status' => $error->status,
        'retryable' => $error->retryable,
        'request_id' => $error->requestId,
        'details' => (object) $error->details,
        'target' => $error->target,
        'docs' => $error->docs,
    ] : $described;
}
