// Takes from Chromium what only code that broke out of it needs. LD_PRELOAD loads this library into Chromium, before its first
// thread starts, and what it does can't be undone: no new privileges, no capabilities, and a seccomp filter. Chromium runs
// without it all the same; the function sees in /proc/<pid>/status whether it worked. See seccomp(2), capabilities(7).
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>

#include "system-call.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/** From <errno.h>, which belongs to a C library. */
enum { EPERM = 1, ENOSYS = 38 };
/** From <sys/socket.h> and <netinet/in.h>. */
enum { AF_UNIX = 1, AF_INET = 2, AF_INET6 = 10, AF_NETLINK = 16 };
enum { SOCK_STREAM = 1, SOCK_SEQPACKET = 5, SOCKET_TYPE_MASK = 0xf };
enum { IPPROTO_TCP = 6, IPPROTO_UDP = 17 };
/** From <sys/resource.h>. */
enum { PRIO_PROCESS = 0 };
/** From <asm-generic/ioctls.h>, <asm-generic/sockios.h>, and <asm-generic/fcntl.h>. */
enum { TIOCSTI = 0x5412, TIOCLINUX = 0x541c, FIOSETOWN = 0x8901, SIOCSPGRP = 0x8902 };
enum { F_SETOWN = 8, F_SETSIG = 10, F_SETOWN_EX = 15 };

static const unsigned short refused[] = {
    // Other processes.
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_process_madvise, __NR_process_mrelease, __NR_kcmp,
    __NR_pidfd_open, __NR_pidfd_getfd, __NR_pidfd_send_signal, __NR_tkill, __NR_move_pages, __NR_migrate_pages,
    // New programs.
    __NR_execve, __NR_execveat,
#if defined(__x86_64__)
    __NR_fork, __NR_vfork, __NR_modify_ldt, __NR_iopl, __NR_ioperm, __NR_uselib, __NR_mknod,
#endif
    // Out of reach of the signal that ends the browser's process group.
    __NR_setsid, __NR_setpgid,
    // Memory, messages, and semaphores of System V and POSIX, which outlive the process, and so the capture.
    __NR_shmget, __NR_shmat, __NR_shmctl, __NR_shmdt, __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl, __NR_semget,
    __NR_semop, __NR_semtimedop, __NR_semctl, __NR_mq_open, __NR_mq_unlink, __NR_mq_timedsend, __NR_mq_timedreceive,
    __NR_mq_notify, __NR_mq_getsetattr,
    // Memory that not even the kernel can read.
    __NR_memfd_secret,
    // Processors and priorities, also those of other processes.
    __NR_sched_setaffinity, __NR_sched_setscheduler, __NR_sched_setparam, __NR_sched_setattr, __NR_ioprio_set,
    __NR_mbind, __NR_set_mempolicy, __NR_set_mempolicy_home_node,
    // Parts of the kernel in which bugs were often found, and which get around this filter.
    __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register, __NR_bpf, __NR_perf_event_open, __NR_userfaultfd,
    __NR_add_key, __NR_request_key, __NR_keyctl, __NR_fanotify_init, __NR_fanotify_mark, __NR_lookup_dcookie,
    __NR_vmsplice, __NR_splice, __NR_tee, __NR_io_setup, __NR_io_submit, __NR_remap_file_pages, __NR_personality,
    // The system.
    __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_setns, __NR_unshare, __NR_open_tree, __NR_move_mount,
    __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr, __NR_name_to_handle_at,
    __NR_open_by_handle_at, __NR_mknodat, __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load,
    __NR_kexec_file_load, __NR_reboot, __NR_vhangup,
    __NR_swapon, __NR_swapoff, __NR_acct, __NR_quotactl, __NR_quotactl_fd, __NR_syslog, __NR_sethostname, __NR_setdomainname,
    __NR_settimeofday, __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime,
};

/** Their first argument is a process: this one only. */
static const unsigned short own_process[] = {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

/** The kernel's maximum is 4,096 instructions. */
static struct sock_filter filter[480];
static unsigned short length;

static void add(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned value) {
  filter[length++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(unsigned offset) { add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }

static void load_number(void) { load(offsetof(struct seccomp_data, nr)); }

/** Little-endian: the lower half of an argument comes first. */
static void load_argument(int index) { load(offsetof(struct seccomp_data, args) + index * 8); }

static void skip_unless_equal(unsigned value, unsigned char instructions) {
  add(BPF_JMP | BPF_JEQ | BPF_K, 0, instructions, value);
}

static void skip_if_equal(unsigned value, unsigned char instructions) {
  add(BPF_JMP | BPF_JEQ | BPF_K, instructions, 0, value);
}

static void allow(void) { add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW); }

static void refuse(unsigned error) { add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | error); }

/** Refuses a system call, whose number is loaded, with an argument other than the given values. Leaves the number loaded. */
static void allow_only(unsigned number, int argument, const unsigned *values, unsigned char count) {
  skip_unless_equal(number, count + 3);
  load_argument(argument);
  for (unsigned char i = 0; i < count; i++) skip_if_equal(values[i], count - i);
  refuse(EPERM);
  load_number();
}

/** Refuses a system call, whose number is loaded, with one of the given values as an argument. Leaves the number loaded. */
static void refuse_only(unsigned number, int argument, const unsigned *values, unsigned char count) {
  skip_unless_equal(number, 2 * count + 2);
  load_argument(argument);
  for (unsigned char i = 0; i < count; i++) {
    skip_unless_equal(values[i], 1);
    refuse(EPERM);
  }
  load_number();
}

/** Sockets of TCP and UDP, and of NETLINK_ROUTE, by which a process learns the addresses of its machine. */
static void allow_network_sockets(void) {
  skip_unless_equal(__NR_socket, 11);
  load_argument(0);
  skip_if_equal(AF_NETLINK, 5);
  skip_if_equal(AF_INET, 1);
  skip_unless_equal(AF_INET6, 5);
  load_argument(2);
  skip_if_equal(IPPROTO_TCP, 4);
  skip_if_equal(IPPROTO_UDP, 3);
  load_argument(2);
  skip_if_equal(0, 1);
  refuse(EPERM);
  load_number();
}

/** Pairs of connected Unix sockets. A datagram socket of a pair could send to any other address. */
static void allow_connected_pairs(void) {
  const unsigned family[] = {AF_UNIX};
  allow_only(__NR_socketpair, 0, family, 1);
  skip_unless_equal(__NR_socketpair, 6);
  load_argument(1);
  add(BPF_ALU | BPF_AND | BPF_K, 0, 0, SOCKET_TYPE_MASK);
  skip_if_equal(SOCK_STREAM, 2);
  skip_if_equal(SOCK_SEQPACKET, 1);
  refuse(EPERM);
  load_number();
}

static void build_filter(unsigned own_pid) {
  load(offsetof(struct seccomp_data, arch));
  skip_if_equal(ARCHITECTURE, 1);
  refuse(EPERM);
  load_number();
#if defined(__x86_64__)
  // The same system calls by other numbers (the x32 ABI).
  add(BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
  refuse(ENOSYS);
#endif
  // Its flags are in memory, which a filter can't read. The C library then uses `clone`.
  skip_unless_equal(__NR_clone3, 1);
  refuse(ENOSYS);
  for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
    skip_unless_equal(refused[i], 1);
    refuse(EPERM);
  }
  // Threads, but no processes.
  skip_unless_equal(__NR_clone, 4);
  load_argument(0);
  add(BPF_JMP | BPF_JSET | BPF_K, 1, 0, CLONE_THREAD);
  refuse(EPERM);
  allow();
  for (unsigned i = 0; i < sizeof own_process / sizeof *own_process; i++) allow_only(own_process[i], 0, &own_pid, 1);
  const unsigned self[] = {0, own_pid};
  allow_only(__NR_prlimit64, 0, self, 2);
  // Only the priority of the calling thread.
  const unsigned priority_of[] = {PRIO_PROCESS}, caller[] = {0};
  allow_only(__NR_setpriority, 0, priority_of, 1);
  allow_only(__NR_setpriority, 1, caller, 1);
  allow_network_sockets();
  allow_connected_pairs();
  // The function looks for leftovers of the browser in its /proc.
  const unsigned dumpable[] = {PR_SET_DUMPABLE};
  refuse_only(__NR_prctl, 0, dumpable, 1);
  // Signals of files go to any process of the user, and typed characters to the shell that started the service.
  const unsigned owners[] = {F_SETOWN, F_SETSIG, F_SETOWN_EX};
  refuse_only(__NR_fcntl, 1, owners, 3);
  const unsigned controls[] = {TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP};
  refuse_only(__NR_ioctl, 1, controls, 4);
  allow();
}

/**
 * Where the service runs as root: the kernel also refuses ptrace, and so the environment and memory, of processes that have more
 * capabilities. One stays, without which root can't use the folders of the user who started the service.
 */
static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct capabilities[_LINUX_CAPABILITY_U32S_3] = {};
  if (system_call(__NR_capget, (long)&header, (long)capabilities, 0, 0, 0) != 0) return;
  const unsigned kept = capabilities[0].permitted & (1u << CAP_DAC_OVERRIDE);
  capabilities[0] = (struct __user_cap_data_struct){kept, kept, 0};
  capabilities[1] = (struct __user_cap_data_struct){0, 0, 0};
  system_call(__NR_capset, (long)&header, (long)capabilities, 0, 0, 0);
}

__attribute__((constructor)) static void confine(void) {
  // Needed for a filter without capabilities; nor does `execve` give any back then.
  system_call(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  drop_capabilities();
  build_filter(system_call(__NR_getpid, 0, 0, 0, 0, 0));
  const struct sock_fprog program = {length, filter};
  // Without the flag, kernels before 5.16 slow the whole process down against a leak between processes (SSBD).
  system_call(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, (long)&program, 0, 0);
}
