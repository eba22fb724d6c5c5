// SPDX-License-Identifier: MIT
#include "sim/commands/cli/memory_reserve.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

#include "sim/base/output_file.h"
#include "sim/commands/cli/common.h"

namespace gpusim::cli {
namespace {

constexpr std::size_t kReserveBytes = std::size_t{1} << 20U;

/// Static, since the handler has no other way to it.
std::atomic<void*> reserve = nullptr;

void give_reserve_back() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

/// Called when an exception leaves a destructor: nothing of this may allocate.
[[noreturn]] void end_without_memory() {
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      remove_unfinished_outputs();
      std::fputs("gpusim: error: ", stderr);
      std::fputs(kOutOfMemory, stderr);
      std::fputs("\n", stderr);
      std::_Exit(Exit::kCannotFinish);
    } catch (...) {  // a fault of ours, which ends as such
      std::abort();
    }
  }
  std::abort();
}

}  // namespace

void prepare_for_lack_of_memory() {
  std::free(reserve.exchange(std::malloc(kReserveBytes)));
  std::set_new_handler(give_reserve_back);
  std::set_terminate(end_without_memory);
}

}  // namespace gpusim::cli
