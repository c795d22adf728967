# frozen_string_literal: true

require "json"
require "openssl"
require "uri"

module ScreenCapture
  # Queries of requests and of signed links.
  # @api private
  module Query
    module_function

    def string(values)
      given = values.compact
      given.empty? ? "" : "?#{URI.encode_www_form(given.map { |name, value| [name, text(value)] })}"
    end

    # The URL of a capture that anyone can open, signed with HMAC-SHA256 and without a request to the service. +expires+ is in seconds since
    # 1970, at most a year ahead.
    def sign(base_url, options, key_id:, signing_secret:, expires:)
      pairs = {key_id: key_id, expires: expires}.merge(options).sort_by { |name, _| name.to_s }.flat_map do |name, value|
        (value.is_a?(Array) ? value : [value]).compact.map { |each| [name, text(each)] }
      end
      query = URI.encode_www_form(pairs)
      "#{base_url}/api/v1/screenshot?#{query}&signature=#{OpenSSL::HMAC.hexdigest("SHA256", signing_secret, query)}"
    end

    # A value as a query has it.
    def text(value)
      value.is_a?(String) || value.is_a?(Symbol) ? value.to_s : JSON.generate(value)
    end
  end
end
