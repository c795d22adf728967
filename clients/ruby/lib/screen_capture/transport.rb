# frozen_string_literal: true

require "json"
require "securerandom"
require "uri"

require_relative "call_options"
require_relative "deadline"
require_relative "errors"
require_relative "query"
require_relative "retry_delay"
require_relative "sender"
require_relative "version"

module ScreenCapture
  # Sends requests with the API key, and retries those that can succeed later.
  # @api private
  class Transport
    attr_reader :base_url

    # Raises {UsageError} for a base URL or a key that no request could use.
    def initialize(key, base_url, configure)
      @base_url = parse_base_url(base_url)
      @key = key.nil? || key.empty? ? nil : parse_key(key)
      @sender = Sender.new(configure)
    end

    # The key isn't in it.
    def inspect = "#<#{self.class} #{base_url}>"

    # Sends a call and returns the parsed JSON of its response.
    def json(...) = request(...).json

    # Sends a call. With +path+, each attempt writes the response to that file. A call that +is_capture+ waits for the result of one, whose
    # option +timeout+ is the time of all attempts. Raises {Error}; the last one if there is no time for another attempt.
    def request(method, path, call, query: {}, body: nil, file: nil, is_capture: false)
      deadline = Deadline.new("#{method} #{path}", call.timeout)
      url = base_url + path + Query.string(query)
      headers = headers(method, call, body)
      attempt = 0
      begin
        @sender.fetch(method, url, headers, body && encode(body), deadline, file)
      rescue Error => error
        delay = RetryDelay.before_attempt(error, attempt)
        is_last = attempt >= call.retries || !RetryDelay.retry?(error)
        raise if is_last || delay >= deadline.remaining

        if is_capture && body[:timeout]
          left = capture_timeout(body, deadline.elapsed + delay)
          raise if left.nil?

          if call.idempotency_key.nil? && ended?(error)
            body = body.merge(timeout: left)
            headers = headers(method, call, body)
          end
        end
        deadline.wait(delay)
        attempt += 1
        retry
      end
    end

    private

    # The option +timeout+ of the next attempt at a capture, which begins +elapsed+ seconds after the first one; nil if it leaves no time.
    def capture_timeout(body, elapsed)
      left = (Float(body[:timeout]) - elapsed).floor
      left if left >= 1 && left > body[:delay].to_f
    end

    # The service has ended a capture whose error it has told, so another one can have the rest of the time, under another name. After a
    # lost response the same request is sent again, to get its result.
    def ended?(error) = error.is_a?(ApiError) && error.code != "CONFLICT"

    def headers(method, call, body)
      if @key.nil?
        raise UsageError, "This call needs the 'key' of the client: an API key, cap_…. Pass it, or set SCREEN_CAPTURE_KEY."
      end

      headers = {"User-Agent" => "screen-capture-client-ruby/#{VERSION}", "Authorization" => "Bearer #{@key}"}
      headers["Content-Type"] = "application/json" if body
      name = call.idempotency_key || (call.retries.positive? ? SecureRandom.uuid : nil)
      headers["Idempotency-Key"] = name if method == "POST" && name
      headers
    end

    def encode(body)
      JSON.generate(body)
    rescue JSON::GeneratorError, EncodingError => error
      raise UsageError, "The options can't be sent as JSON: #{error.message}."
    end

    def parse_base_url(base_url)
      if base_url.nil? || base_url.empty?
        raise UsageError, "The address of the service is missing: pass 'base_url', such as https://api.example.com, or set SCREEN_CAPTURE_URL."
      end

      uri = URI.parse(base_url)
      return base_url.delete_suffix("/") if uri.is_a?(URI::HTTP) && !uri.hostname.to_s.empty?

      raise URI::InvalidURIError
    rescue URI::InvalidURIError
      raise UsageError, "'base_url' isn't a URL of a service, such as https://api.example.com. Pass it, or set SCREEN_CAPTURE_URL."
    end

    # A header can't contain other characters, and an error would report the whole value.
    def parse_key(key)
      trimmed = key.strip
      return trimmed if trimmed.match?(/\A[!-~]+\z/)

      raise UsageError, "'key' isn't an API key: it looks like cap_…, without spaces."
    end
  end
end
