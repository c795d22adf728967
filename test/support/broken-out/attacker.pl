# Code that has broken out of Chromium: tries to get at the function that started it, and prints for each way `reached` or the
# error. The numbers of system calls are those of x86-64.
use strict;
use warnings;
use Socket;
use Errno;
use POSIX ();

my ($descriptor, $port) = @ARGV;
my $function = getppid;
$| = 1;

sub name_of_error { my ($error) = @_; return (grep { Errno->can($_)->() == $error } keys %!)[0] // $error }

# An error that comes after the check of permissions counts as reached, too.
sub try_way {
  my ($way, $attempt, @late_errors) = @_;
  $! = 0;
  my $has_worked = $attempt->();
  my $error = name_of_error($! + 0);
  print "$way\t", $has_worked || (grep { $_ eq $error } @late_errors) ? "reached" : $error, "\n";
}

sub call { return syscall(shift, map { $_ } @_) >= 0 }
sub contents { open(my $file, "<:raw", shift) or return; sysread($file, my $text, 1 << 20) or return; return $text }
sub address { return unpack("J", pack("p", $_[0])) }

my $memory = contents("/proc/$function/maps");
my $mapped = hex(($memory // "400000-") =~ /^([0-9a-f]+)-/ ? $1 : "400000");
my $bytes = "\0" x 16;
my $here = pack("JJ", address($bytes), 16);
my $there = pack("JJ", $mapped, 16);
my $limit = "\0" x 16;

try_way("environment", sub { (contents("/proc/$function/environ") // "") =~ /CANARY/ });
try_way("memory map", sub { contents("/proc/$function/maps") });
try_way("memory file", sub { open(my $file, "+<:raw", "/proc/$function/mem") });
try_way("open file", sub { contents("/proc/$function/fd/$descriptor") });
try_way("working directory", sub { readlink("/proc/$function/cwd") });
try_way("ptrace", sub { call(101, 0x4206, $function, 0, 0) }); # PTRACE_SEIZE, which doesn't stop it
try_way("process_vm_readv", sub { call(310, $function, $here, 1, $there, 1, 0) });
try_way("process_vm_writev", sub { call(311, $function, $here, 1, $there, 1, 0) }, "EFAULT");
try_way("pidfd_getfd", sub {
  my $process = syscall(434, $function, 0);
  return $process >= 0 && call(438, $process, $descriptor + 0, 0);
});
try_way("kcmp", sub { call(312, $function, $function, 0, 0, 0) });
try_way("prlimit", sub { call(302, $function, 7, 0, $limit) });
try_way("debugger", sub { kill("USR1", $function) });
try_way("unix socket", sub { socket(my $socket, AF_UNIX, SOCK_STREAM, 0) });
try_way("io_uring", sub { call(425, 1, "\0" x 120) });
try_way("new process", sub { my $child = fork; POSIX::_exit(0) if defined $child && $child == 0; return defined $child });
# What outlives a process is removed at once where it can be made.
try_way("shared memory", sub { my $id = syscall(29, 0, 4096, 0600); return $id >= 0 && call(31, $id, 0, 0) });
try_way("message queue", sub { my $id = syscall(68, 0, 0600); return $id >= 0 && call(71, $id, 0, 0) });
try_way("semaphore", sub { my $id = syscall(64, 0, 1, 0600); return $id >= 0 && call(66, $id, 0, 0, 0) });
my $queue = "broken-out-$$\0";
try_way("POSIX message queue", sub { my $id = syscall(240, $queue, 0102, 0600, 0); return $id >= 0 && call(241, $queue) });
try_way("secret memory", sub { call(447, 0) });
try_way("netlink", sub { socket(my $socket, 16, SOCK_RAW, 16) }); # NETLINK_GENERIC
try_way("unix datagrams", sub { socketpair(my $one, my $other, AF_UNIX, SOCK_DGRAM, 0) });
try_way("other protocols", sub { socket(my $socket, AF_INET, SOCK_STREAM, 262) }, "EPROTONOSUPPORT", "ENOPROTOOPT"); # MPTCP
try_way("signal of a file", sub { call(72, 0, 8, $function) }); # F_SETOWN
try_way("typed characters", sub { my $key = "x"; call(16, 0, 0x5412, $key) }, "ENOTTY", "EIO");
try_way("priority", sub { call(141, 0, $function, 0) });
try_way("processors", sub { my $all = "\xff" x 8; call(203, $function, 8, $all) });
try_way("connected pair", sub { socketpair(my $one, my $other, AF_UNIX, SOCK_STREAM, 0) });
try_way("routes of the machine", sub { socket(my $socket, 16, SOCK_RAW, 0) });
try_way("udp", sub { socket(my $socket, AF_INET, SOCK_DGRAM, 17) });
try_way("own priority", sub { call(141, 0, 0, 0) });
try_way("tcp on loopback", sub {
  my $socket;
  return socket($socket, AF_INET, SOCK_STREAM, 0) && connect($socket, pack_sockaddr_in($port, INADDR_LOOPBACK));
});
try_way("new program", sub { exec("/bin/echo", "-e", "new program\\treached") });
