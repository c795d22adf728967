# frozen_string_literal: true

require "net/http"
require "openssl"
require "stringio"
require "uri"

require_relative "errors"
require_relative "response"

module ScreenCapture
  # Sends a request with Net::HTTP. Keeps no connection open, and several threads can use it.
  # @api private
  class Sender
    UNREDIRECTED = %w[Authorization Idempotency-Key Content-Type].freeze # for the service alone
    MAX_REDIRECTS = 10
    TIMEOUTS = [Net::OpenTimeout, Net::ReadTimeout, Net::WriteTimeout].freeze
    FAILURES = [
      SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError, Net::ProtocolError, Net::HTTPBadResponse,
      Net::HTTPHeaderSyntaxError
    ].freeze

    # @param configure [Proc, nil] gets each Net::HTTP before its connection is opened
    def initialize(configure)
      @configure = configure
    end

    # Raises {Error} for all but a success. Follows redirects without the key. With a path, writes the content to that file, and leaves
    # +content+ empty.
    def fetch(method, url, headers, body, deadline, path = nil)
      uri = URI(url)
      (MAX_REDIRECTS + 1).times do
        response = exchange(method, uri, headers, body, deadline, path)
        return response if response.status < 300

        location = response.headers["location"]
        raise response.error if location.nil? || response.status >= 400

        method, body = "GET", nil unless [307, 308].include?(response.status)
        uri = uri.merge(location)
        headers = headers.except(*UNREDIRECTED)
      end
      raise ConnectionError, "The service redirects more than #{MAX_REDIRECTS} times."
    end

    private

    def exchange(method, uri, headers, body, deadline, path)
      connection(uri, deadline).start do |http|
        http.request(prepare(method, uri, headers, body)) do |response|
          return read(http, response, deadline, path)
        end
      end
    rescue *TIMEOUTS
      raise deadline.error
    rescue *FAILURES
      raise ConnectionError.new("Can't reach #{uri.scheme}://#{uri.host}:#{uri.port}. Is the service running?", retryable: true)
    end

    def connection(uri, deadline)
      http = Net::HTTP.new(uri.hostname, uri.port)
      http.use_ssl = uri.scheme == "https"
      http.max_retries = 0
      http.open_timeout = http.read_timeout = http.write_timeout = deadline.remaining
      @configure&.call(http)
      http
    end

    def prepare(method, uri, headers, body)
      request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri, {"Accept-Encoding" => "identity", **headers})
      body.nil? ? request["Content-Length"] = "0" : request.body = body
      request.delete("Content-Length") if body.nil? && method == "GET"
      request
    end

    def read(http, response, deadline, path)
      status = response.code.to_i
      headers = response.to_hash.transform_values { |values| values.join(", ") }
      output(status < 300 ? path : nil) do |io|
        copied = 0
        response.read_body do |piece|
          http.read_timeout = deadline.remaining
          copied += write(io, piece, path)
        end
        raise EOFError if headers["content-length"].to_i > copied

        Response.new(status, headers, io.is_a?(StringIO) ? io.string : "")
      end
    end

    def output(path, &block)
      return yield(StringIO.new(String.new(encoding: Encoding::BINARY))) if path.nil?

      begin
        file = File.open(path, "wb")
      rescue SystemCallError => error
        raise UsageError, "Can't write #{path}: #{error.message}."
      end
      begin
        yield(file)
      ensure
        file.close
      end
    end

    def write(io, piece, path)
      io.write(piece)
    rescue SystemCallError => error
      raise UsageError, "Can't write #{path}: #{error.message}."
    end
  end
end
