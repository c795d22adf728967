"""Calls the client as each line of stdin says, and answers with a line of JSON: for tests of what the clients of all languages do."""

import hashlib
import itertools
import json
import sys

from screen_capture_client import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    ScreenCapture,
    WebhookVerificationError,
)

CALL_SETTINGS = ("timeout", "retries", "idempotency_key")
LISTS = ("captures", "jobs", "search", "usage")
BY_ID = ("get", "wait", "cancel", "delete_result", "details")
KINDS = {WebhookVerificationError: "webhook", ApiConnectionError: "connection", ApiTimeoutError: "timeout"}


def info_of(capture):
    names = ("mime_type", "from_cache", "final_url", "warnings", "problems", "quality", "request_id")
    return {name: getattr(capture, name) for name in names}


def run(line):
    client = ScreenCapture(**line["client"])
    name, options = line["call"], line.get("options", {})
    call = {setting: line[setting] for setting in CALL_SETTINGS if setting in line}
    if name == "capture":
        capture = client.capture(options, **call)
        content = capture.content
        text = capture.text if capture.mime_type.startswith("text/") else None
        return {**info_of(capture), "size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "text": text}
    if name == "capture_to_file":
        return info_of(client.capture_to_file(options, line["path"], **call))
    if name == "account":
        return client.account(**call)
    if name == "export_captures":
        return {"text": client.export_captures(options, **call)}
    if name == "link":
        return {"url": client.link(options, **({"expires_in": line["expires_in"]} if "expires_in" in line else {}))}
    if name == "verify_webhook":
        return client.verify_webhook(line["headers"], line["body"].encode())
    if name in LISTS:
        return list(itertools.islice(getattr(client, name)(options, **call), line.get("limit")))
    if name in BY_ID:
        return getattr(client, name)(line["id"], **call)
    subject, _, method = name.rpartition(".")
    arguments = [line["id"]] if "id" in line else []
    if "options" in line:
        arguments.append(options)
    return getattr(getattr(client, subject) if subject else client, method)(*arguments, **call)


def description(error):
    kind = next((kind for each, kind in KINDS.items() if isinstance(error, each)), "usage")
    described = {"class": type(error).__name__, "kind": kind, "message": str(error)}
    if isinstance(error, ApiError):
        names = ("code", "status", "retryable", "request_id", "details", "target", "docs")
        described.update(kind="api", **{name: getattr(error, name) for name in names})
    return described


for text in sys.stdin:
    try:
        answer = {"value": run(json.loads(text))}
    except Exception as error:
        answer = {"error": description(error)}
    print(json.dumps(answer), flush=True)
