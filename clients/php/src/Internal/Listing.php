<?php

declare(strict_types=1);

namespace ScreenCapture\Internal;

use ScreenCapture\Types;

/**
 * Generators over the captures of the account, its asynchronous captures, and its days.
 *
 * @internal
 *
 * @phpstan-import-type CaptureFilter from Types
 * @phpstan-import-type CaptureLog from Types
 * @phpstan-import-type StatisticsFilter from Types
 * @phpstan-import-type UsageStatistics from Types
 */
final class Listing
{
    private const CAPTURES_PER_PAGE = 100;

    /** Days of a request for statistics. */
    private const MAX_SPAN_DAYS = 90;

    /**
     * Captures, newest first, page by page. Captures that are made meanwhile move later pages, but none is listed twice.
     *
     * @param CaptureFilter $filters
     *
     * @return \Generator<int, CaptureLog>
     */
    public static function captures(Transport $transport, array $filters, Call $call): \Generator
    {
        $oldestId = PHP_INT_MAX; // ids increase with time
        $number = $filters['page'] ?? 1;
        do {
            $query = ['page' => $number] + $filters + ['per_page' => self::CAPTURES_PER_PAGE];
            $page = $transport->json('GET', '/api/v1/usage', $call, $query);
            foreach ($page['data'] as $log) {
                if ($log['id'] < $oldestId) {
                    $oldestId = $log['id'];
                    yield $log;
                }
            }
        } while ($number++ < $page['last_page']);
    }

    /**
     * The items of a list whose parts continue at `next_before`. A part can be empty although more follow.
     *
     * @param array<string, mixed> $filters
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public static function older(Transport $transport, string $path, array $filters, Call $call): \Generator
    {
        do {
            $part = $transport->json('GET', $path, $call, $filters + ['limit' => self::CAPTURES_PER_PAGE]);
            foreach ($part['data'] as $item) {
                yield $item;
            }
            $filters['before'] = $part['next_before'];
        } while ($part['next_before'] !== null);
    }

    /**
     * Days, newest first. A range can be longer than the 90 days that one request covers.
     *
     * @param StatisticsFilter $filters
     *
     * @return \Generator<int, UsageStatistics['series'][number]>
     */
    public static function days(Transport $transport, array $filters, Call $call): \Generator
    {
        $utc = new \DateTimeZone('UTC');
        $last = new \DateTimeImmutable($filters['to'] ?? 'today', $utc);
        $days = ($filters['days'] ?? 7) - 1;
        $first = isset($filters['from']) ? new \DateTimeImmutable($filters['from'], $utc) : $last->modify("-$days days");
        unset($filters['from'], $filters['to'], $filters['days']);
        while ($last >= $first) {
            $since = max($first, $last->modify('-' . (self::MAX_SPAN_DAYS - 1) . ' days'));
            $query = ['from' => $since->format('Y-m-d'), 'to' => $last->format('Y-m-d')] + $filters;
            foreach ($transport->json('GET', '/api/v1/usage/stats', $call, $query)['series'] as $day) {
                yield $day;
            }
            $last = $since->modify('-1 day');
        }
    }
}
