# frozen_string_literal: true

require "securerandom"

require_relative "call_options"
require_relative "capture"
require_relative "deadline"
require_relative "errors"
require_relative "keys"
require_relative "listing"
require_relative "query"
require_relative "receivers"
require_relative "retry_delay"
require_relative "transport"
require_relative "webhook"

module ScreenCapture
  # The client. It keeps no connection open, and several threads can use it.
  #
  # Methods with +options+ take the address of a page, a hash, or keyword arguments, which take precedence:
  #
  #   client.capture("https://example.com", full_page: true)
  #   client.capture(url: "https://example.com", full_page: true)
  #   client.capture({url: "https://example.com", full_page: true})
  #
  # Every method that sends a request also takes these keyword arguments:
  #
  # - +timeout+: the time limit of the whole call with its retries, in seconds: 200 unless the method says otherwise. A capture that takes
  #   longer is finished and billed all the same; the same request with the same +idempotency_key+ gets its result for free. The option
  #   +timeout+ of a capture, in a hash of options, ends the capture itself, and bounds its retries, too.
  # - +retries+: how often an error that is +retryable?+ is retried: 2 by default.
  # - +idempotency_key+: the name of a POST, so that the service runs it once: a random one by default, unless +retries+ is 0.
  #
  # Results are hashes whose keys are symbols, as the API answers them. All methods raise {Error}.
  class Client
    CAPTURES = "/api/v1/screenshot"
    INVOICES = "/api/v1/account/invoices"
    EXPORTS = "/api/v1/usage/exports"
    DAY_S = 24 * 60 * 60
    MAX_LINK_LIFETIME_S = 366 * DAY_S
    BULK_TIMEOUT_S = 300 # the service answers a bulk request after at most 240 seconds
    DEFAULT_WAIT_S = 600
    DEFAULT_EXPORT_WAIT_S = 3_600
    MAX_EXPORT_DELAY_S = 15
    private_constant(*constants(false))

    # @return [String] URL of the service, without a slash at the end
    attr_reader :base_url
    # @return [Keys] the API keys of the account
    attr_reader :keys
    # @return [Receivers] the saved receivers of webhooks
    attr_reader :receivers

    # @param key [String] an API key, +cap_…+, or one for tests, +cap_test_…+; links and webhooks don't need it
    # @param base_url [String] the address of the service, such as +https://api.example.com+
    # @param key_id [Integer, nil] the id of the API key that signs links
    # @param signing_secret [String, nil] the secret of the API key that signs links and webhooks: +whsec_…+
    # @yieldparam http [Net::HTTP] each connection before it is opened, for example to set a +ca_file+
    def initialize(
      key: ENV["SCREEN_CAPTURE_KEY"], base_url: ENV["SCREEN_CAPTURE_URL"], key_id: nil, signing_secret: nil, &configure
    )
      @transport = Transport.new(key, base_url, configure)
      @base_url = @transport.base_url
      @keys = Keys.new(@transport)
      @receivers = Receivers.new(@transport)
      @key_id = key_id
      @signing_secret = signing_secret
    end

    # No secret is in it.
    # @return [String]
    def inspect = "#<#{self.class} #{base_url}>"

    # Captures a page and returns the bytes of the result.
    # @param options [String, Hash, nil]
    # @return [Capture]
    def capture(options = nil, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      response = @transport.request("POST", CAPTURES, call, body: body, is_capture: true)
      Capture.new(response.headers, response.content)
    end

    # Captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an error, as it was
    # before.
    # @param options [String, Hash]
    # @param path [String, Pathname]
    # @return [CaptureInfo]
    def capture_to_file(options, path, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      part = "#{path}.#{SecureRandom.hex(8)}.part"
      begin
        response = @transport.request("POST", CAPTURES, call, body: body, file: part, is_capture: true)
        rename(part, path)
      ensure
        File.delete(part) if File.exist?(part)
      end
      CaptureInfo.new(response.headers)
    end

    # Captures a page and stores the result, which has a link and the metadata that you request.
    # @param options [String, Hash, nil]
    # @return [Hash]
    def store(options = nil, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      @transport.json("POST", CAPTURES, call, body: {**body, response_type: "json"}, is_capture: true)
    end

    # Captures several results of a page and stores each one, which has a link. Raises if all of them fail; one that fails alone has an
    # +error+ in its place.
    # @param options [String, Hash, nil]
    # @return [Hash]
    def store_outputs(options = nil, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      @transport.json("POST", CAPTURES, call, body: body, is_capture: true)
    end

    # Checks a request without a capture: returns all options that apply, or raises the error that the capture would get.
    # @param options [String, Hash, nil]
    # @return [Hash]
    def validate(options = nil, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      @transport.json("POST", CAPTURES, call, body: {**body, validate: true})
    end

    # Queues an asynchronous capture. {#wait} returns its result.
    # @param options [String, Hash, nil]
    # @return [Hash]
    def enqueue(options = nil, **keywords)
      body, call = CallOptions.split_capture(options, keywords)
      @transport.json("POST", CAPTURES, call, body: {**body, async: true})
    end

    # The status of an asynchronous capture.
    # @return [Hash]
    def get(request_id, **call)
      @transport.json("GET", "#{CAPTURES}/#{request_id}", CallOptions.new(**call))
    end

    # Waits for an asynchronous capture, at most 10 minutes unless +timeout+ says otherwise. Raises the error of a capture that failed.
    # @param capture [Integer, Hash] what {#enqueue} or {#bulk} returned, or its +request_id+
    # @return [Hash]
    def wait(capture, **call)
      state = wait_for_end(id_of(capture), call)
      raise ApiError.from(state[:error]) if state[:error]

      state
    end

    # Cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. Returns its status: +failed+ with the
    # code +CANCELLED+, or +success+ if it had ended before. A success is billed, and its result is deleted.
    # @param capture [Integer, Hash] what {#enqueue} or {#bulk} returned, or its +request_id+
    # @return [Hash]
    def cancel(capture, **call)
      delete_result(id_of(capture), **call)
      wait_for_end(id_of(capture), call)
    end

    # The asynchronous captures of the last 30 days, newest first.
    # @return [Enumerator]
    def jobs(**filters, &block)
      filters, call = CallOptions.split(filters)
      each_or_items(Listing.older(@transport, "/api/v1/jobs", filters, call), block)
    end

    # Deletes the result of an asynchronous capture, or cancels one that hasn't ended; {#cancel} also waits for its end.
    # @return [nil]
    def delete_result(request_id, **call)
      @transport.request("DELETE", "#{CAPTURES}/#{request_id}", CallOptions.new(**call))
      nil
    end

    # Sends the webhook of an asynchronous capture again.
    # @return [Hash]
    def redeliver_webhook(request_id, **call)
      @transport.json("POST", "#{CAPTURES}/#{request_id}/webhook/redeliver", CallOptions.new(**call))
    end

    # Sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered.
    # @return [Hash]
    def test_webhook(**request)
      body, call = CallOptions.split(request)
      @transport.json("POST", "/api/v1/webhooks/test", call, body: body)
    end

    # Makes up to 20 captures, and waits for them unless +execute+ is false. While too many other bulk requests wait, the captures are
    # returned as they are: {#wait} for those whose +status+ is +queued+ or +processing+.
    # @return [Array<Hash>]
    def bulk(**requests)
      body, call = CallOptions.split(requests, timeout: BULK_TIMEOUT_S)
      @transport.json("POST", "/api/v1/bulk", call, body: body)[:data]
    end

    # A link that shows a capture to everyone who opens it, such as the +src+ of an +<img>+. It is made without a request, and needs
    # +key_id+ and +signing_secret+.
    # @param options [String, Hash, nil]
    # @param expires_in [Numeric] its lifetime in seconds: 30 days, at most 366
    # @return [String]
    def link(options = nil, expires_in: 30 * DAY_S, **keywords)
      raise UsageError, "Pass 'key_id' and 'signing_secret' of an API key to the client." unless @key_id && @signing_secret
      unless expires_in.positive? && expires_in <= MAX_LINK_LIFETIME_S
        raise UsageError, "'expires_in' must be more than 0 and at most 366 days, in seconds."
      end

      given = (options.is_a?(String) ? {url: options} : options.to_h.transform_keys(&:to_sym)).merge(keywords)
      expires = (Time.now.to_f + expires_in).to_i
      Query.sign(base_url, given, key_id: @key_id, signing_secret: @signing_secret, expires: expires)
    end

    # The event of a webhook, verified with +signing_secret+.
    # @param headers [#each] names and values: those of a Rack, Rails, or Sinatra request, or +request.env+
    # @param body [String] the raw body of the request
    # @raise [WebhookVerificationError] for one that isn't valid
    # @return [Hash]
    def verify_webhook(headers, body)
      raise UsageError, "Pass 'signing_secret' of an API key to the client." unless @signing_secret

      Webhook.verify(headers, body, signing_secret: @signing_secret)
    end

    # The captures of the account, newest first.
    # @return [Enumerator]
    def captures(**filters, &block)
      filters, call = CallOptions.split(filters)
      each_or_items(Listing.captures(@transport, filters, call), block)
    end

    # The captures of the account that match, newest first, also by format, cache, and address.
    # @return [Enumerator]
    def search(**filters, &block)
      filters, call = CallOptions.split(filters)
      each_or_items(Listing.older(@transport, "/api/v1/usage/search", filters, call), block)
    end

    # A capture of the account with its times by phase, its warnings, and the link to its result.
    # @return [Hash]
    def details(request_id, **call)
      @transport.json("GET", "/api/v1/usage/#{request_id}", CallOptions.new(**call))
    end

    # The thumbnail of a capture, as WebP. Raises {NotFoundError} for a capture without one.
    # @return [String]
    def thumbnail(request_id, **call)
      @transport.request("GET", "/api/v1/usage/#{request_id}/thumbnail", CallOptions.new(**call)).content
    end

    # Deletes the result, the report, and the thumbnail of a capture, which stays in the list.
    # @return [nil]
    def delete_capture(request_id, **call)
      @transport.request("DELETE", "/api/v1/usage/#{request_id}", CallOptions.new(**call))
      nil
    end

    # How a capture with +metadata_report+ came about.
    # @return [Hash]
    def report(request_id, **call)
      @transport.json("GET", "#{CAPTURES}/#{request_id}/report", CallOptions.new(**call))
    end

    # The captures of the account that match, as CSV, or as NDJSON with <tt>output: "ndjson"</tt>.
    # @return [String]
    def export_captures(**filters)
      filters, call = CallOptions.split(filters)
      @transport.request("GET", "/api/v1/usage/export", call, query: filters).text
    end

    # Starts an export of any number of captures that match, as CSV, or as NDJSON with <tt>output: "ndjson"</tt>. {#wait_for_export} returns
    # the link to its file.
    # @return [Hash]
    def start_export(**filters)
      body, call = CallOptions.split(filters)
      @transport.json("POST", EXPORTS, call, body: body)
    end

    # The state of an export, with a new link to its file.
    # @return [Hash]
    def get_export(export_id, **call)
      @transport.json("GET", "#{EXPORTS}/#{export_id}", CallOptions.new(**call))
    end

    # Waits until an export has ended, at most an hour unless +timeout+ says otherwise. Download +download_url+, a gzip file, within an hour.
    # Raises if the export failed: start another one then.
    # @param export [Hash] what {#start_export} returned
    # @return [Hash]
    def wait_for_export(export, timeout: DEFAULT_EXPORT_WAIT_S, **call)
      task = "Export #{export[:id]}"
      deadline = Deadline.new(task, timeout)
      delay = 0.5
      loop do
        state = get_export(export[:id], **call, timeout: deadline.remaining)
        raise Error, "#{task} failed. Start another one." if state[:status] == "failed"
        return state if state[:status] == "ready"

        deadline.wait(delay)
        delay = [2 * delay, MAX_EXPORT_DELAY_S].min
      end
    end

    # The days of the account with their captures, newest first; the last 7 unless the filter says otherwise.
    # @return [Enumerator]
    def usage(**filters, &block)
      filters, call = CallOptions.split(filters)
      each_or_items(Listing.days(@transport, filters, call), block)
    end

    # Statistics of up to 90 days, with totals.
    # @return [Hash]
    def statistics(**filters)
      filters, call = CallOptions.split(filters)
      @transport.json("GET", "/api/v1/usage/stats", call, query: filters)
    end

    # The newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles.
    # @return [Hash]
    def breakdown(**filters)
      filters, call = CallOptions.split(filters)
      @transport.json("GET", "/api/v1/usage/breakdown", call, query: filters)
    end

    # Plan, billing period, quotas, and cost.
    # @return [Hash]
    def account(**call)
      @transport.json("GET", "/api/v1/account", CallOptions.new(**call))
    end

    # Name, e-mail address, and plan.
    # @return [Hash]
    def settings(**call)
      @transport.json("GET", "/api/v1/account/settings", CallOptions.new(**call))
    end

    # The invoices of all billing periods, newest first.
    # @return [Array<Hash>]
    def invoices(**call)
      @transport.json("GET", INVOICES, CallOptions.new(**call))[:data]
    end

    # An invoice as a PDF.
    # @return [String]
    def invoice_pdf(invoice, **call)
      start = URI.encode_www_form_component(invoice[:period][:start])
      @transport.request("GET", "#{INVOICES}/#{start}/pdf", CallOptions.new(**call)).content
    end

    private

    def wait_for_end(request_id, keywords)
      _, call = CallOptions.split(keywords, timeout: DEFAULT_WAIT_S)
      deadline = Deadline.new("Capture #{request_id}", call.timeout)
      0.step do |attempt|
        state, delay = poll(request_id, attempt, keywords.merge(timeout: deadline.remaining))
        return state if state && %w[success failed].include?(state[:status])

        deadline.wait(delay)
      end
    end

    # The status, unless the rate limit refuses the request, and seconds to wait before the next one.
    def poll(request_id, attempt, call)
      response = @transport.request("GET", "#{CAPTURES}/#{request_id}", CallOptions.new(**call))
      [response.json, RetryDelay.before_poll(response.headers, attempt)]
    rescue RateLimitedError => error
      [nil, RetryDelay.before_attempt(error, attempt)]
    end

    def id_of(capture) = capture.is_a?(Hash) ? capture.fetch(:request_id) : capture

    def each_or_items(items, block) = block ? items.each(&block) : items

    def rename(part, path)
      File.rename(part, path)
    rescue SystemCallError => error
      raise UsageError, "Can't write #{path}: #{error.message}."
    end
  end
end
