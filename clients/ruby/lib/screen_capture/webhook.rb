# frozen_string_literal: true

require "json"
require "openssl"

require_relative "errors"

module ScreenCapture
  # Verifies webhooks: the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body.
  module Webhook
    TOLERANCE_S = 300 # as Standard Webhooks recommends

    module_function

    # Returns the event of a webhook whose signature is valid.
    #
    # @param headers [#each] names and values: those of a Rack, Rails, or Sinatra request, or +request.env+
    # @param body [String] the raw body of the request
    # @param signing_secret [String] the secret of the API key or of the receiver: +whsec_…+
    # @param tolerance [Numeric] how many seconds the time of the webhook may be from +now+
    # @raise [WebhookVerificationError] for one that isn't valid
    # @return [Hash{Symbol => Object}]
    def verify(headers, body, signing_secret:, tolerance: TOLERANCE_S, now: Time.now)
      id, timestamp, signatures = %w[id timestamp signature].map { |part| header(headers, "webhook-#{part}") }
      check_time(timestamp, tolerance, now)
      digest = OpenSSL::HMAC.digest("SHA256", decode_secret(signing_secret), "#{id}.#{timestamp}.".b + body.b)
      expected = "v1,#{[digest].pack("m0")}"
      unless signatures.split.any? { |signature| OpenSSL.secure_compare(signature, expected) }
        raise WebhookVerificationError, "The signature of the webhook doesn't match. Pass the raw body and the secret of its API key."
      end

      JSON.parse(body, symbolize_names: true)
    end

    # @api private
    def check_time(timestamp, tolerance, now)
      return if timestamp.match?(/\A[0-9]+\z/) && (now.to_f - timestamp.to_i).abs <= tolerance

      raise WebhookVerificationError, "The time of the webhook is missing or not close to now."
    end

    # @api private
    def decode_secret(secret)
      bytes = secret.delete_prefix("whsec_").unpack1("m0")
      raise ArgumentError if bytes.empty?

      bytes
    rescue ArgumentError
      raise WebhookVerificationError, "'signing_secret' isn't one: it looks like whsec_…."
    end

    # Rack has the names of headers as +HTTP_WEBHOOK_ID+.
    # @api private
    def header(headers, name)
      headers.each do |each, value|
        return Array(value).first.to_s if each.to_s.downcase.tr("_", "-").delete_prefix("http-") == name
      end
      ""
    end
  end
end
