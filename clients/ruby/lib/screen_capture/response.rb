# frozen_string_literal: true

require "json"

require_relative "errors"

module ScreenCapture
  # A response that was read to its end.
  # @api private
  class Response
    attr_reader :status, :headers, :content

    # @param headers [Hash{String => String}] by their names in lower case
    def initialize(status, headers, content)
      @status = status
      @headers = headers
      @content = content
    end

    # The value of the JSON.
    def json
      JSON.parse(text, symbolize_names: true)
    rescue JSON::ParserError
      raise ConnectionError, "The response is no JSON. Check the base URL, and proxies in front of it."
    end

    def text = content.dup.force_encoding(Encoding::UTF_8)

    # The error of a response that is no success.
    def error
      body = error_body
      return ApiError.from(body, status: status, retry_after: Float(headers["retry-after"], exception: false)) if body

      ConnectionError.new(
        "Got status #{status} without an error of the service. Check the base URL, and proxies in front of it.",
        retryable: status.between?(502, 504)
      )
    end

    private

    def error_body
      body = JSON.parse(text, symbolize_names: true)
      body if body.is_a?(Hash) && body[:error].is_a?(String) && body[:code].is_a?(String)
    rescue JSON::ParserError
      nil
    end
  end
end
