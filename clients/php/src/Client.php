<?php

declare(strict_types=1);

namespace ScreenCapture;

use ScreenCapture\Exception\RateLimitedException;
use ScreenCapture\Exception\ScreenCaptureException;
use ScreenCapture\Exception\UsageException;
use ScreenCapture\Internal\Call;
use ScreenCapture\Internal\Deadline;
use ScreenCapture\Internal\ErrorFrom;
use ScreenCapture\Internal\Listing;
use ScreenCapture\Internal\RetryDelay;
use ScreenCapture\Internal\SignedLink;
use ScreenCapture\Internal\Transport;

/**
 * The client of the Screen Capture API.
 *
 * Every method that sends a request takes these named arguments:
 *
 * - `timeout`: the time limit of the whole call with its retries, in seconds: 200 unless the method says otherwise. A capture that takes
 *   longer is finished and billed all the same; the same request with the same `idempotencyKey` gets its result for free. The option
 *   `timeout` of a capture ends the capture itself, and bounds its retries, too.
 * - `retries`: how often an error that is `retryable` is retried: 2 by default.
 * - `idempotencyKey`: the name of a POST, so that the service runs it once: a random one by default, unless `retries` is 0.
 *
 * All of them throw `ScreenCaptureException`.
 *
 * @phpstan-import-type Account from Types
 * @phpstan-import-type AccountSettings from Types
 * @phpstan-import-type AsyncCaptureFilter from Types
 * @phpstan-import-type BreakdownFilter from Types
 * @phpstan-import-type Bulk from Types
 * @phpstan-import-type BulkCapture from Types
 * @phpstan-import-type CaptureAccepted from Types
 * @phpstan-import-type CaptureDetails from Types
 * @phpstan-import-type CaptureFilter from Types
 * @phpstan-import-type CaptureLog from Types
 * @phpstan-import-type CaptureOptions from Types
 * @phpstan-import-type CaptureReport from Types
 * @phpstan-import-type CaptureResult from Types
 * @phpstan-import-type CaptureState from Types
 * @phpstan-import-type CaptureValidation from Types
 * @phpstan-import-type DataExport from Types
 * @phpstan-import-type ExportFilter from Types
 * @phpstan-import-type ExportRequest from Types
 * @phpstan-import-type Invoice from Types
 * @phpstan-import-type OutputsOptions from Types
 * @phpstan-import-type OutputsResult from Types
 * @phpstan-import-type RefusedCapture from Types
 * @phpstan-import-type SearchFilter from Types
 * @phpstan-import-type StatisticsFilter from Types
 * @phpstan-import-type UsageBreakdown from Types
 * @phpstan-import-type UsageDay from Types
 * @phpstan-import-type UsageStatistics from Types
 * @phpstan-import-type WebhookEvent from Types
 * @phpstan-import-type WebhookRedelivery from Types
 * @phpstan-import-type WebhookTest from Types
 * @phpstan-import-type WebhookTestRequest from Types
 */
final class Client
{
    private const CAPTURES = '/api/v1/screenshot';
    private const INVOICES = '/api/v1/account/invoices';
    private const EXPORTS = '/api/v1/usage/exports';
    private const DAY_S = 24 * 60 * 60;
    private const MAX_LINK_LIFETIME_S = 366 * self::DAY_S;

    /** The service answers a bulk request after at most 240 seconds. */
    private const BULK_TIMEOUT_S = 300.0;

    private const DEFAULT_WAIT_S = 600.0;
    private const DEFAULT_EXPORT_WAIT_S = 3_600.0;
    private const MAX_EXPORT_DELAY_S = 15.0;

    /** URL of the service, without a slash at the end. */
    public readonly string $baseUrl;

    /** The API keys of the account. */
    public readonly Keys $keys;

    /** The saved receivers of webhooks. */
    public readonly Receivers $receivers;

    private readonly Transport $transport;

    /**
     * @param string|null $key An API key, `cap_…`, or one for tests, `cap_test_…`; links and webhooks don't need it. Without it, the
     * client takes `SCREEN_CAPTURE_KEY` from the environment.
     * @param string|null $baseUrl The address of the service, such as `https://api.example.com`. Without it, the client takes
     * `SCREEN_CAPTURE_URL` from the environment.
     * @param int|null $keyId The id of the API key that signs links.
     * @param string|null $signingSecret The secret of the API key that signs links and webhooks: `whsec_…`.
     * @param array<int, mixed> $curlOptions Options of cURL, such as `[CURLOPT_CAINFO => 'ca.pem']` for certificates of your own.
     */
    public function __construct(
        #[\SensitiveParameter] ?string $key = null,
        ?string $baseUrl = null,
        private readonly ?int $keyId = null,
        #[\SensitiveParameter] private readonly ?string $signingSecret = null,
        array $curlOptions = [],
    ) {
        $key ??= self::environment('SCREEN_CAPTURE_KEY');
        $baseUrl ??= self::environment('SCREEN_CAPTURE_URL');
        $this->transport = new Transport($key, $baseUrl, $curlOptions);
        $this->baseUrl = $this->transport->baseUrl;
        $this->keys = new Keys($this->transport);
        $this->receivers = new Receivers($this->transport);
    }

    /** @return array{baseUrl: string} What dumps show: no secret is in it. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * Captures a page and returns the bytes of the result.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     */
    public function capture(
        string|array $options,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): Capture {
        $body = self::options($options);
        $response = $this->transport->send('POST', self::CAPTURES, new Call($timeout, $retries, $idempotencyKey), body: $body, isCapture: true);

        return new Capture($response->headers, $response->content);
    }

    /**
     * Captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an error, as it
     * was before.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     */
    public function captureToFile(
        string|array $options,
        string $path,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): CaptureInfo {
        $body = self::options($options);
        $part = $path . '.' . bin2hex(random_bytes(8)) . '.part';
        try {
            $call = new Call($timeout, $retries, $idempotencyKey);
            $response = $this->transport->send('POST', self::CAPTURES, $call, body: $body, file: $part, isCapture: true);
            if (!@rename($part, $path)) {
                throw new UsageException("Can't write $path.");
            }
        } finally {
            if (is_file($part)) {
                unlink($part);
            }
        }

        return new CaptureInfo($response->headers);
    }

    /**
     * Captures a page and stores the result, which has a link and the metadata that you request.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     *
     * @return CaptureResult
     */
    public function store(
        string|array $options,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $body = ['response_type' => 'json'] + self::options($options);

        return $this->transport->json('POST', self::CAPTURES, new Call($timeout, $retries, $idempotencyKey), body: $body, isCapture: true);
    }

    /**
     * Captures several results of a page and stores each one, which has a link. Throws if all of them fail; one that fails alone has an
     * `error` in its place.
     *
     * @param OutputsOptions $options
     *
     * @return OutputsResult
     */
    public function storeOutputs(
        array $options,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $body = $options;

        return $this->transport->json('POST', self::CAPTURES, new Call($timeout, $retries, $idempotencyKey), body: $body, isCapture: true);
    }

    /**
     * Checks a request without a capture: returns all options that apply, or throws the error that the capture would get.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     *
     * @return CaptureValidation
     */
    public function validate(
        string|array $options,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $body = ['validate' => true] + self::options($options);

        return $this->transport->json('POST', self::CAPTURES, new Call($timeout, $retries, $idempotencyKey), body: $body);
    }

    /**
     * Queues an asynchronous capture. `wait` returns its result.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     *
     * @return CaptureAccepted
     */
    public function enqueue(
        string|array $options,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $body = ['async' => true] + self::options($options);

        return $this->transport->json('POST', self::CAPTURES, new Call($timeout, $retries, $idempotencyKey), body: $body);
    }

    /**
     * The status of an asynchronous capture.
     *
     * @return CaptureState
     */
    public function get(int $requestId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::CAPTURES . "/$requestId", new Call($timeout, $retries));
    }

    /**
     * Waits for an asynchronous capture, at most 10 minutes unless `$timeout` says otherwise. Throws the error of a capture that failed.
     *
     * @param int|CaptureAccepted|CaptureState|BulkCapture $capture What `enqueue` or `bulk` returned, or its `request_id`.
     *
     * @return CaptureState
     */
    public function wait(int|array $capture, ?float $timeout = null, ?int $retries = null): array
    {
        $call = new Call($timeout, $retries, defaultTimeout: self::DEFAULT_WAIT_S);
        $state = $this->waitForEnd(is_int($capture) ? $capture : $capture['request_id'], $call);
        if (isset($state['error'])) {
            throw ErrorFrom::body($state['error']);
        }

        return $state;
    }

    /**
     * Cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. Returns its status: `failed` with
     * the code `CANCELLED`, or `success` if it had ended before. A success is billed, and its result is deleted.
     *
     * @param int|CaptureAccepted|CaptureState|BulkCapture $capture What `enqueue` or `bulk` returned, or its `request_id`.
     *
     * @return CaptureState
     */
    public function cancel(int|array $capture, ?float $timeout = null, ?int $retries = null): array
    {
        $requestId = is_int($capture) ? $capture : $capture['request_id'];
        $this->deleteResult($requestId, $timeout, $retries);

        return $this->waitForEnd($requestId, new Call($timeout, $retries, defaultTimeout: self::DEFAULT_WAIT_S));
    }

    /**
     * The asynchronous captures of the last 30 days, newest first.
     *
     * @param AsyncCaptureFilter $filters
     *
     * @return \Generator<int, CaptureState>
     */
    public function jobs(array $filters = [], ?float $timeout = null, ?int $retries = null): \Generator
    {
        /** @var \Generator<int, CaptureState> */
        return Listing::older($this->transport, '/api/v1/jobs', $filters, new Call($timeout, $retries));
    }

    /** Deletes the result of an asynchronous capture, or cancels one that hasn't ended; `cancel` also waits for its end. */
    public function deleteResult(int $requestId, ?float $timeout = null, ?int $retries = null): void
    {
        $this->transport->send('DELETE', self::CAPTURES . "/$requestId", new Call($timeout, $retries));
    }

    /**
     * Sends the webhook of an asynchronous capture again.
     *
     * @return WebhookRedelivery
     */
    public function redeliverWebhook(
        int $requestId,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::CAPTURES . "/$requestId/webhook/redeliver", new Call($timeout, $retries, $idempotencyKey));
    }

    /**
     * Sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered.
     *
     * @param WebhookTestRequest $request
     *
     * @return WebhookTest
     */
    public function testWebhook(
        array $request,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', '/api/v1/webhooks/test', new Call($timeout, $retries, $idempotencyKey), body: $request);
    }

    /**
     * Makes up to 20 captures, and waits for them unless `execute` is false. While too many other bulk requests wait, the captures are
     * returned as they are: `wait` for those whose `status` is `queued` or `processing`.
     *
     * @param Bulk $requests
     *
     * @return list<BulkCapture|RefusedCapture>
     */
    public function bulk(
        array $requests,
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        $call = new Call($timeout, $retries, $idempotencyKey, self::BULK_TIMEOUT_S);

        return $this->transport->json('POST', '/api/v1/bulk', $call, body: $requests)['data'];
    }

    /**
     * A link that shows a capture to everyone who opens it, such as the `src` of an `<img>`. It is made without a request, and needs
     * `keyId` and `signingSecret`.
     *
     * @param string|CaptureOptions $options The address alone, or the options.
     * @param int $expiresIn Its lifetime in seconds: 30 days, at most 366.
     */
    public function link(string|array $options, int $expiresIn = 30 * self::DAY_S): string
    {
        if ($this->keyId === null || $this->signingSecret === null) {
            throw new UsageException("Pass 'keyId' and 'signingSecret' of an API key to the client.");
        }
        if ($expiresIn <= 0 || $expiresIn > self::MAX_LINK_LIFETIME_S) {
            throw new UsageException("'expiresIn' must be more than 0 and at most 366 days, in seconds.");
        }
        $given = self::options($options);

        return SignedLink::create($this->baseUrl, $given, $this->keyId, $this->signingSecret, time() + $expiresIn);
    }

    /**
     * The event of a webhook, verified with `signingSecret`. Throws `WebhookVerificationException` for one that isn't valid.
     *
     * @param array<string, string|list<string>> $headers Those of the request, as `getallheaders()` and PSR-7 have them. `$_SERVER` works,
     * too.
     * @param string $body The raw body of the request: `file_get_contents('php://input')`.
     *
     * @return WebhookEvent
     */
    public function verifyWebhook(array $headers, string $body): array
    {
        if ($this->signingSecret === null) {
            throw new UsageException("Pass 'signingSecret' of an API key to the client.");
        }

        return Webhook::verify($headers, $body, $this->signingSecret);
    }

    /**
     * The captures of the account, newest first.
     *
     * @param CaptureFilter $filters
     *
     * @return \Generator<int, CaptureLog>
     */
    public function captures(array $filters = [], ?float $timeout = null, ?int $retries = null): \Generator
    {
        return Listing::captures($this->transport, $filters, new Call($timeout, $retries));
    }

    /**
     * The captures of the account that match, newest first, also by format, cache, and address.
     *
     * @param SearchFilter $filters
     *
     * @return \Generator<int, CaptureLog>
     */
    public function search(array $filters = [], ?float $timeout = null, ?int $retries = null): \Generator
    {
        /** @var \Generator<int, CaptureLog> */
        return Listing::older($this->transport, '/api/v1/usage/search', $filters, new Call($timeout, $retries));
    }

    /**
     * A capture of the account with its times by phase, its warnings, and the link to its result.
     *
     * @return CaptureDetails
     */
    public function details(int $requestId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', "/api/v1/usage/$requestId", new Call($timeout, $retries));
    }

    /** The thumbnail of a capture, as WebP. Throws `NotFoundException` for a capture without one. */
    public function thumbnail(int $requestId, ?float $timeout = null, ?int $retries = null): string
    {
        return $this->transport->send('GET', "/api/v1/usage/$requestId/thumbnail", new Call($timeout, $retries))->content;
    }

    /** Deletes the result, the report, and the thumbnail of a capture, which stays in the list. */
    public function deleteCapture(int $requestId, ?float $timeout = null, ?int $retries = null): void
    {
        $this->transport->send('DELETE', "/api/v1/usage/$requestId", new Call($timeout, $retries));
    }

    /**
     * How a capture with `metadata_report` came about.
     *
     * @return CaptureReport
     */
    public function report(int $requestId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::CAPTURES . "/$requestId/report", new Call($timeout, $retries));
    }

    /**
     * The captures of the account that match, as CSV, or as NDJSON with `'output' => 'ndjson'`.
     *
     * @param ExportFilter $filters
     */
    public function exportCaptures(array $filters = [], ?float $timeout = null, ?int $retries = null): string
    {
        return $this->transport->send('GET', '/api/v1/usage/export', new Call($timeout, $retries), $filters)->content;
    }

    /**
     * Starts an export of any number of captures that match, as CSV, or as NDJSON with `'output' => 'ndjson'`. `waitForExport` returns
     * the link to its file.
     *
     * @param ExportRequest $filters
     *
     * @return DataExport
     */
    public function startExport(
        array $filters = [],
        ?float $timeout = null,
        ?int $retries = null,
        ?string $idempotencyKey = null,
    ): array {
        return $this->transport->json('POST', self::EXPORTS, new Call($timeout, $retries, $idempotencyKey), body: $filters);
    }

    /**
     * The state of an export, with a new link to its file.
     *
     * @return DataExport
     */
    public function getExport(int $exportId, ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::EXPORTS . "/$exportId", new Call($timeout, $retries));
    }

    /**
     * Waits until an export has ended, at most an hour unless `$timeout` says otherwise. Download `download_url`, a gzip file, within an
     * hour. Throws if the export failed: start another one then.
     *
     * @param DataExport $export
     *
     * @return DataExport
     */
    public function waitForExport(array $export, ?float $timeout = null, ?int $retries = null): array
    {
        $task = "Export {$export['id']}";
        $deadline = new Deadline($task, $timeout ?? self::DEFAULT_EXPORT_WAIT_S);
        for ($delay = 0.5; ; $delay = min(2 * $delay, self::MAX_EXPORT_DELAY_S)) {
            $state = $this->getExport($export['id'], $deadline->remaining(), $retries);
            if ($state['status'] === 'failed') {
                throw new ScreenCaptureException("$task failed. Start another one.");
            }
            if ($state['status'] === 'ready') {
                return $state;
            }
            $deadline->sleep($delay);
        }
    }

    /**
     * The days of the account with their captures, newest first; the last 7 unless the filter says otherwise.
     *
     * @param StatisticsFilter $filters
     *
     * @return \Generator<int, UsageDay>
     */
    public function usage(array $filters = [], ?float $timeout = null, ?int $retries = null): \Generator
    {
        return Listing::days($this->transport, $filters, new Call($timeout, $retries));
    }

    /**
     * Statistics of up to 90 days, with totals.
     *
     * @param StatisticsFilter $filters
     *
     * @return UsageStatistics
     */
    public function statistics(array $filters = [], ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', '/api/v1/usage/stats', new Call($timeout, $retries), $filters);
    }

    /**
     * The newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles.
     *
     * @param BreakdownFilter $filters
     *
     * @return UsageBreakdown
     */
    public function breakdown(array $filters = [], ?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', '/api/v1/usage/breakdown', new Call($timeout, $retries), $filters);
    }

    /**
     * Plan, billing period, quotas, and cost.
     *
     * @return Account
     */
    public function account(?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', '/api/v1/account', new Call($timeout, $retries));
    }

    /**
     * Name, e-mail address, and plan.
     *
     * @return AccountSettings
     */
    public function settings(?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', '/api/v1/account/settings', new Call($timeout, $retries));
    }

    /**
     * The invoices of all billing periods, newest first.
     *
     * @return list<Invoice>
     */
    public function invoices(?float $timeout = null, ?int $retries = null): array
    {
        return $this->transport->json('GET', self::INVOICES, new Call($timeout, $retries))['data'];
    }

    /**
     * An invoice as a PDF.
     *
     * @param Invoice $invoice
     */
    public function invoicePdf(array $invoice, ?float $timeout = null, ?int $retries = null): string
    {
        $start = rawurlencode($invoice['period']['start']);

        return $this->transport->send('GET', self::INVOICES . "/$start/pdf", new Call($timeout, $retries))->content;
    }

    /** @return CaptureState */
    private function waitForEnd(int $requestId, Call $call): array
    {
        $deadline = new Deadline("Capture $requestId", $call->timeout);
        for ($attempt = 0; ; $attempt++) {
            try {
                $rest = new Call($deadline->remaining(), $call->retries);
                $response = $this->transport->send('GET', self::CAPTURES . "/$requestId", $rest);
                $state = $response->json();
                if (in_array($state['status'], ['success', 'failed'], true)) {
                    return $state;
                }
                $delay = RetryDelay::beforePoll($response->headers, $attempt);
            } catch (RateLimitedException $error) {
                $delay = RetryDelay::beforeAttempt($error, $attempt);
            }
            $deadline->sleep($delay);
        }
    }

    /**
     * @param string|array<string, mixed> $options
     *
     * @return array<string, mixed>
     */
    private static function options(string|array $options): array
    {
        return is_string($options) ? ['url' => $options] : $options;
    }

    /** From `$_ENV`, too: libraries that read `.env` files set it. */
    private static function environment(string $name): ?string
    {
        $value = $_ENV[$name] ?? getenv($name);

        return is_string($value) ? $value : null;
    }
}
