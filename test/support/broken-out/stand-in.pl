#!/usr/bin/perl
# In Chromium's place: tries to get at its function, and prints what it reaches; then connects wherever the test says.
# `CONTROL_PORT` and `ATTACKER` are replaced.
use strict;
use warnings;
use IO::Socket::INET;

my $control = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => CONTROL_PORT) or exit 1;
defined <$control> or exit; # the test wants nothing of this one

open(STDOUT, ">&", $control) or exit 1;
$| = 1;
@ARGV = (0, CONTROL_PORT);
do "ATTACKER";
print "end\n";

# Each line has a port, and the number of bytes that follow. The response is sent back with its length before it.
while (my $line = <$control>) {
  my ($port, $length) = split " ", $line;
  read($control, my $request, $length) == $length or exit;
  my $response = "";
  if (my $server = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port)) {
    print $server $request;
    local $/;
    $response = <$server> // "";
  }
  print length($response), "\n", $response;
}
