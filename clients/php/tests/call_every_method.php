<?php

// Calls every method of the client once, for a test that compares what it requests with the routes of the service.

declare(strict_types=1);

require __DIR__ . '/autoload.php';

$client = new ScreenCapture\Client();
$page = ['url' => 'https://example.com'];

$client->capture($page);
$client->store($page);
$client->storeOutputs($page + ['outputs' => [['name' => 'a'], ['name' => 'b']]]);
$client->validate($page);
$client->enqueue($page);
$client->get(7);
$client->wait(7);
$client->deleteResult(7);
$client->cancel(7);
$client->redeliverWebhook(7);
$client->testWebhook(['webhook_url' => 'https://you.example']);
$client->bulk(['requests' => [$page]]);
$client->captures()->current();
$client->jobs()->current();
$client->search()->current();
$client->usage()->current();
$client->statistics();
$client->breakdown();
$client->details(7);
$client->thumbnail(7);
$client->deleteCapture(7);
$client->report(7);
$client->exportCaptures();
$client->startExport();
$client->getExport(7);
$client->account();
$client->settings();
$client->invoices();
$client->invoicePdf(['period' => ['start' => '7', 'end' => '8']]);
$client->keys->list();
$client->keys->create(['label' => 'A']);
$client->keys->get(7);
$client->keys->change(7, ['label' => 'B']);
$client->keys->rotate(7);
$client->keys->endPreviousTexts(7);
$client->keys->revoke(7);
$client->receivers->list();
$client->receivers->create(['name' => 'A', 'url' => 'https://you.example']);
$client->receivers->get('7');
$client->receivers->change('7', ['name' => 'B']);
$client->receivers->secret('7');
$client->receivers->rotateSecret('7');
$client->receivers->pause('7');
$client->receivers->resume('7');
$client->receivers->deliveries('7')->current();
$client->receivers->test('7');
$client->receivers->replay('7', ['since' => '2026-01-01']);
$client->receivers->delete('7');
