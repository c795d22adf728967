// An addon that closes the Node.js process that loads it to other processes of its user: the kernel refuses them its
// environment, memory, and file descriptors, and ptrace. See PR_SET_DUMPABLE in prctl(2), and "Ptrace access mode checking" in
// ptrace(2). It holds until the process executes another program, so child processes stay open. Throws when the kernel
// refuses it. Node-API: https://nodejs.org/api/n-api.html
#include <linux/prctl.h>

#include "system-call.h"

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value;
extern int napi_throw_error(napi_env env, const char *code, const char *message);

__attribute__((visibility("default"))) napi_value napi_register_module_v1(napi_env env, napi_value exports) {
  if (system_call(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    napi_throw_error(env, 0, "The kernel refused to close the process.");
  }
  return exports;
}
