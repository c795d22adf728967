# frozen_string_literal: true

# Runs calls of the shared list of behaviours: one JSON object per line from stdin, one line with its answer to stdout.

require "digest"

require_relative "../lib/screen_capture_client"

# Warnings of the client are failures.
def Warning.warn(message, **)
  message.include?("screen_capture") ? raise(message) : super
end

KINDS = {
  ScreenCapture::ApiError => "api",
  ScreenCapture::ConnectionError => "connection",
  ScreenCapture::TimeoutError => "timeout",
  ScreenCapture::WebhookVerificationError => "webhook",
  ScreenCapture::Error => "usage"
}.freeze
CALL = %i[timeout retries idempotency_key].freeze
CAPTURES = %w[capture store store_outputs validate enqueue].freeze

def run(request)
  client = ScreenCapture::Client.new(**request.fetch(:client, {}))
  name = request[:call]
  options = request.fetch(:options, {})
  call = request.slice(*CALL)
  case name
  when *CAPTURES then captured(client.public_send(name, options, **call))
  when "capture_to_file" then captured(client.capture_to_file(options, request[:path], **call), request[:path])
  when "link" then {url: client.link(options, **request.slice(:expires_in))}
  when "verify_webhook" then client.verify_webhook(request[:headers], request[:body])
  when "export_captures" then {text: client.export_captures(**options, **call)}
  else
    result = name.split(".").reduce(client) do |target, method|
      next target.public_send(method) if name.start_with?("#{method}.")

      target.public_send(method, *request.values_at(:id).compact, **options, **call)
    end
    result.is_a?(Enumerator) ? result.first(request.fetch(:limit, 1_000)) : result
  end
end

def captured(capture, path = nil)
  return capture unless capture.is_a?(ScreenCapture::CaptureInfo)

  content = capture.content unless path
  value = {mime_type: capture.mime_type, size: path ? File.size(path) : content.bytesize, from_cache: capture.from_cache?}
  value.update(%i[final_url warnings problems quality request_id].to_h { |name| [name, capture.public_send(name)] })
  value[:sha256] = Digest::SHA256.hexdigest(content) if content
  value[:text] = capture.text if content && capture.mime_type.match?(%r{\A(text/|application/json)})
  value
end

def describe(error)
  kind = KINDS.find { |type, _| error.is_a?(type) }.last
  value = {kind: kind, message: error.message, class: error.class.name.split("::").last}
  return value unless kind == "api"

  fields = %i[code status request_id details target docs].to_h { |name| [name, error.public_send(name)] }
  value.merge(fields, retryable: error.retryable?)
end

$stdout.sync = true
$stdin.each_line do |line|
  answer =
    begin
      {value: run(JSON.parse(line, symbolize_names: true))}
    rescue ScreenCapture::Error => error
      {error: describe(error)}
    end
  puts JSON.generate(answer)
end
