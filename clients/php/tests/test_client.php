<?php

// What only the PHP client has. What the clients of all languages do is in the shared list of behaviours.

declare(strict_types=1);

use ScreenCapture\Client;
use ScreenCapture\Exception\ScreenCaptureException;
use ScreenCapture\Exception\UsageException;
use ScreenCapture\Webhook;

require __DIR__ . '/autoload.php';

error_reporting(E_ALL);
set_error_handler(static fn (int $level, string $message): bool => (error_reporting() & $level) !== 0
    && throw new ErrorException($message, 0, $level));

function check(string $title, bool $isTrue): void
{
    $isTrue || throw new LogicException("It isn't true that $title.");
}

/** @param class-string<ScreenCaptureException> $class */
function thrown(string $class, callable $call): ScreenCaptureException
{
    try {
        $call();
    } catch (ScreenCaptureException $error) {
        check("$class is thrown instead of " . $error::class, $error instanceof $class);

        return $error;
    }

    throw new LogicException("$class isn't thrown.");
}

// Every class loads, and every code has one.
$folder = dirname((new ReflectionClass(Client::class))->getFileName());
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder)) as $file) {
    if ($file->getExtension() === 'php') {
        $name = str_replace(['/', '.php'], ['\\', ''], substr($file->getPathname(), strlen("$folder/")));
        check("the class $name exists", class_exists("ScreenCapture\\$name"));
    }
}

// Dumps and traces don't show secrets.
$client = new Client(key: 'cap_secret', baseUrl: 'http://127.0.0.1:9', keyId: 1, signingSecret: 'whsec_c2VjcmV0');
$error = thrown(ScreenCaptureException::class, static fn () => $client->account(retries: 0));
$wrong = thrown(UsageException::class, static fn () => new Client(key: "cap_secret\u{e4}", baseUrl: 'http://127.0.0.1:9'));
foreach ([print_r($client, true), (string) $error, (string) $wrong, print_r($client->keys, true)] as $text) {
    check('no secret is shown', !str_contains($text, 'cap_secret') && !str_contains($text, 'c2VjcmV0'));
}

// What can't be sent or written is an error of the usage.
thrown(UsageException::class, static fn () => $client->capture(['html' => "\xff"]));
thrown(UsageException::class, static fn () => $client->capture('https://example.com', idempotencyKey: "a\nb"));
thrown(UsageException::class, static fn () => $client->captureToFile('https://example.com', '/missing/page.png'));

// Headers of webhooks as `$_SERVER` and PSR-7 have them.
$body = '{"type":"test"}';
$signature = 'v1,' . base64_encode(hash_hmac('sha256', "msg_1.1700000000.$body", 'secret', true));
$verify = static fn (array $headers): array => Webhook::verify($headers, $body, 'whsec_c2VjcmV0', now: 1_700_000_000);
$server = ['HTTP_WEBHOOK_ID' => 'msg_1', 'HTTP_WEBHOOK_TIMESTAMP' => '1700000000', 'HTTP_WEBHOOK_SIGNATURE' => $signature];
$psr = ['webhook-id' => ['msg_1'], 'Webhook-Timestamp' => ['1700000000'], 'webhook-signature' => ["v1,x $signature"]];
check('both have the event', $verify($server) === ['type' => 'test'] && $verify($psr) === ['type' => 'test']);
