# frozen_string_literal: true

# What only the Ruby client has. What the clients of all languages do is in the shared list of behaviours.

require "minitest/autorun"
require "socket"

require_relative "../lib/screen_capture_client"

class ClientTest < Minitest::Test
  SECRET = "whsec_c2VjcmV0"

  # Answers each request with an empty object, and keeps its body.
  def setup
    server = TCPServer.new("127.0.0.1", 0)
    @bodies = bodies = []
    @server = Thread.new do
      loop do
        socket = server.accept
        headers = socket.gets("\r\n\r\n")
        length = headers[/content-length: (\d+)/i, 1].to_i
        bodies << JSON.parse(socket.read(length)) if length.positive?
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        socket.close
      end
    end
    @client = ScreenCapture::Client.new(
      key: "cap_secret", base_url: "http://127.0.0.1:#{server.addr[1]}/", key_id: 1, signing_secret: SECRET
    )
  end

  def teardown = @server.kill

  def test_options_are_an_address_a_hash_or_keywords
    @client.capture("https://a.example", format: "pdf")
    @client.capture({"url" => "https://a.example", :format => "pdf"})
    @client.capture({url: "https://b.example", format: "png", timeout: 9}, url: "https://a.example", format: :pdf, timeout: 5)
    page = {"url" => "https://a.example", "format" => "pdf"}
    assert_equal [page, page, page.merge("timeout" => 9)], (@bodies.map { |body| page.merge(body) })
    assert_raises(ScreenCapture::UsageError) { @client.capture("https://a.example", url: "https://b.example") }
    assert_raises(ArgumentError) { @client.account(tiemout: 1) }
  end

  def test_secrets_are_not_shown
    shown = [@client, @client.keys, @client.receivers].map(&:inspect).join
    refute_match(/cap_secret|c2VjcmV0/, shown)
    assert_includes shown, @client.base_url
  end

  def test_the_block_of_the_client_configures_connections
    seen = nil
    client = ScreenCapture::Client.new(key: "cap_x", base_url: @client.base_url) { |http| seen = http }
    client.account
    assert_equal @client.base_url, "http://#{seen.address}:#{seen.port}"
  end

  def test_a_file_that_cannot_be_written_is_an_error_of_the_usage
    assert_raises(ScreenCapture::UsageError) { @client.capture_to_file("https://a.example", "/missing/page.png") }
    assert_raises(ScreenCapture::UsageError) { @client.capture("https://a.example", idempotency_key: "a\nb") }
  end

  def test_webhooks_take_the_headers_of_rack
    body = '{"type":"test"}'
    digest = OpenSSL::HMAC.digest("SHA256", "secret", "msg_1.1700000000.#{body}")
    headers = {
      "HTTP_WEBHOOK_ID" => "msg_1", "HTTP_WEBHOOK_TIMESTAMP" => "1700000000",
      "HTTP_WEBHOOK_SIGNATURE" => "v1,x v1,#{[digest].pack("m0")}", "rack.input" => nil
    }
    event = ScreenCapture::Webhook.verify(headers, body, signing_secret: SECRET, now: Time.at(1_700_000_000))
    assert_equal({type: "test"}, event)
  end
end
