# frozen_string_literal: true

require "uri"

require_relative "call_options"
require_relative "listing"

module ScreenCapture
  # The saved receivers of webhooks. A key needs the scopes +keys+ and +capture+; for their deliveries, +usage+.
  class Receivers
    PATH = "/api/v1/webhooks/receivers"
    private_constant :PATH

    # @api private
    def initialize(transport)
      @transport = transport
    end

    # Lists the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused.
    def list(**call)
      @transport.json("GET", PATH, CallOptions.new(**call))[:data]
    end

    # Saves a receiver. Send its +id+ as +webhook_receiver+, and verify its webhooks with its +signing_secret+.
    def create(**receiver)
      body, call = CallOptions.split(receiver)
      @transport.json("POST", PATH, call, body: body)
    end

    # A receiver without its secret.
    def get(receiver_id, **call)
      @transport.json("GET", path(receiver_id), CallOptions.new(**call))
    end

    # Changes the name or the URL.
    def change(receiver_id, **changes)
      body, call = CallOptions.split(changes)
      @transport.json("PATCH", path(receiver_id), call, body: body)
    end

    # Deletes a receiver: captures that name it are refused.
    def delete(receiver_id, **call)
      @transport.request("DELETE", path(receiver_id), CallOptions.new(**call))
      nil
    end

    # The secret that signs its webhooks.
    def secret(receiver_id, **call)
      @transport.json("GET", path(receiver_id, "/secret"), CallOptions.new(**call))[:signing_secret]
    end

    # Gives a receiver a new secret. For +overlap+ seconds, a day unless you say otherwise, both secrets sign.
    def rotate_secret(receiver_id, **rotation)
      body, call = CallOptions.split(rotation)
      @transport.json("POST", path(receiver_id, "/rotate"), call, body: body)
    end

    # Pauses a receiver: its webhooks are kept for 7 days each.
    def pause(receiver_id, **call)
      @transport.json("POST", path(receiver_id, "/pause"), CallOptions.new(**call))
    end

    # Resumes a receiver: what was kept is sent, oldest first.
    def resume(receiver_id, **call)
      @transport.json("POST", path(receiver_id, "/resume"), CallOptions.new(**call))
    end

    # The deliveries of the last 30 days, newest first.
    # @return [Enumerator]
    def deliveries(receiver_id, **filters, &block)
      filters, call = CallOptions.split(filters)
      items = Listing.older(@transport, path(receiver_id, "/deliveries"), filters, call)
      block ? items.each(&block) : items
    end

    # Sends a test event, and returns what the receiver answered.
    def test(receiver_id, **call)
      @transport.json("POST", path(receiver_id, "/test"), CallOptions.new(**call))
    end

    # Sends the webhooks of a time again, such as those of an outage.
    def replay(receiver_id, **time)
      body, call = CallOptions.split(time)
      @transport.json("POST", path(receiver_id, "/replay"), call, body: body)
    end

    private

    def path(receiver_id, action = "")
      "#{PATH}/#{URI.encode_www_form_component(receiver_id)}#{action}"
    end
  end
end
