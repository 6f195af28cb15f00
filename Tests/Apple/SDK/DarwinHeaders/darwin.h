// What the package uses of Apple's C library, as it is on a 64-bit system, for type checks only.
// Source: rust-lang/libc, src/unix/bsd/apple, which is tested against Apple's headers.
#pragma once

typedef unsigned long size_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;

typedef long ssize_t;
typedef long long off_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint64_t ino_t;
typedef int32_t dev_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int32_t pid_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef uint32_t nfds_t;
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct stat {
    dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid; dev_t st_rdev;
    struct timespec st_atimespec; struct timespec st_mtimespec; struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size; blkcnt_t st_blocks; blksize_t st_blksize; uint32_t st_flags; uint32_t st_gen;
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkfifo(const char *, mode_t);

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_CLOEXEC 0x01000000
int open(const char *, int, ...);
int fcntl(int, int, ...);
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
int flock(int, int);
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08

#define SEEK_END 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
int access(const char *, int);
int close(int);
int fsync(int);
int ftruncate(int, off_t);
off_t lseek(int, off_t, int);
pid_t getpid(void);
pid_t getppid(void);
#define CTL_KERN 1
#define KERN_PROCARGS2 49
int sysctl(int *, unsigned int, void *, size_t *, void *, size_t);
uid_t getuid(void);
int isatty(int);
ssize_t pread(int, void *, size_t, off_t);
ssize_t read(int, void *, size_t);
int rmdir(const char *);
int unlink(const char *);
ssize_t write(int, const void *, size_t);
int rename(const char *, const char *);
int mkstemp(char *);
int sched_yield(void);

typedef struct { int __dd_fd; } DIR;
struct dirent { uint64_t d_ino; uint64_t d_seekoff; uint16_t d_reclen; uint16_t d_namlen; uint8_t d_type; char d_name[1024]; };
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);

#define PROT_READ 0x01
#define MAP_PRIVATE 0x0002
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);

#define SOCK_STREAM 1
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOL_SOCKET 0xffff
#define SOMAXCONN 128
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_NOSIGPIPE 0x1022
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
struct linger { int l_onoff; int l_linger; };
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in { uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8]; };
struct in6_addr { uint8_t s6_addr[16]; };
struct sockaddr_in6 { uint8_t sin6_len; sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo; struct in6_addr sin6_addr; uint32_t sin6_scope_id; };
struct ifaddrs { struct ifaddrs *ifa_next; char *ifa_name; unsigned int ifa_flags; struct sockaddr *ifa_addr; struct sockaddr *ifa_netmask; struct sockaddr *ifa_dstaddr; void *ifa_data; };
int accept(int, struct sockaddr *, socklen_t *);
int bind(int, const struct sockaddr *, socklen_t);
int connect(int, const struct sockaddr *, socklen_t);
int getsockname(int, struct sockaddr *, socklen_t *);
int listen(int, int);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int setsockopt(int, int, int, const void *, socklen_t);
int shutdown(int, int);
int socket(int, int, int);
int socketpair(int, int, int, int *);
int inet_pton(int, const char *, void *);
int inet_aton(const char *, struct in_addr *);
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
int gethostname(char *, size_t);
#define POLLIN 0x0001
#define POLLOUT 0x0004
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *, nfds_t, int);

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EACCES 13
#define EBUSY 16
#define ENOTDIR 20
#define EISDIR 21
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define EDQUOT 69
#define _SC_OPEN_MAX 5
long sysconf(int);
char *strerror(int);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void exit(int) __attribute__((noreturn));
int atexit(void (*)(void));
char *getenv(const char *);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
char *strncpy(char *, const char *, size_t);
double log2(double);
double pow(double, double);
double floor(double);
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGTERM 15
#define SA_ONSTACK 0x0001
typedef uint32_t sigset_t;
union __sigaction_u { void (*__sa_handler)(int); void (*__sa_sigaction)(int, void *, void *); };
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
int sigaction(int, const struct sigaction *, struct sigaction *);
int raise(int);
void (*signal(int, void (*)(int)))(int);
int kill(pid_t, int);
int pipe(int *);
