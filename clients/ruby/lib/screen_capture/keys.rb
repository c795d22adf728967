# frozen_string_literal: true

require_relative "call_options"

module ScreenCapture
  # The API keys of the account. Requires a key with the scope +keys+.
  class Keys
    PATH = "/api/v1/keys"
    private_constant :PATH

    # @api private
    def initialize(transport)
      @transport = transport
    end

    # Lists the keys, oldest first.
    def list(**call)
      request("GET", "", call)[:data]
    end

    # Creates a key. Its text and signing secret appear in this answer only.
    def create(**key)
      request("POST", "", key, has_body: true)
    end

    # A key without its secrets.
    def get(key_id, **call)
      request("GET", "/#{key_id}", call)
    end

    # Changes a key.
    def change(key_id, **changes)
      request("PATCH", "/#{key_id}", changes, has_body: true)
    end

    # Revokes a key for good.
    def revoke(key_id, **call)
      request("DELETE", "/#{key_id}", call)
    end

    # Gives a key a new text and signing secret. The old text works for +overlap+ seconds more, and so do links that the old secret signed;
    # without +overlap+, both stop at once, unless you give a +link_grace_period+ for the links.
    def rotate(key_id, **rotation)
      request("POST", "/#{key_id}/rotate", rotation, has_body: true)
    end

    # Ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed.
    def end_previous_texts(key_id, **call)
      request("DELETE", "/#{key_id}/previous", call)
    end

    private

    def request(method, path, keywords, has_body: false)
      body, call = has_body ? CallOptions.split(keywords) : [nil, CallOptions.new(**keywords)]
      @transport.json(method, PATH + path, call, body: body)
    end
  end
end
