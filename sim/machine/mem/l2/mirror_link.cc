// SPDX-License-Identifier: MIT
#include "sim/machine/mem/l2/mirror_link.h"

namespace gpusim::mem::l2 {

using msg::Kind;
using msg::L2Access;
using msg::Message;

void MirrorLink::read(const Message& message, const Fetch& fetch, Cycle now) {
  FarOperation operation{message, fetch.line, fetch.entry, true};
  operation.message.sectors = fetch.sectors;
  ask(operation, Kind::kFarRead, now);
}

void MirrorLink::write(const Message& message, Kind kind, Cycle now) {
  ++writes_;
  (kind == Kind::kFarAtomic ? atomic_sectors_ : write_sectors_) += msg::sector_count(message.sectors);
  ask({message}, kind, now);
}

void MirrorLink::invalidate(Address line, Cycle now) {
  ++invalidations_;
  msg::FarAccess copy;
  copy.address = line;
  copy.slice = mirror_;
  copy.is_copy = 1;
  // After the answers that are on their way.
  ports_.send_far(msg::make(Kind::kFarInvalidate, copy), now + config_.data_latency, now);
}

void MirrorLink::ask(const FarOperation& operation, Kind kind, Cycle now) {
  msg::FarAccess asked{operation.message.as<L2Access>(), slice_};
  asked.slice = mirror_;
  asked.is_copy = 0;
  asked.token = operations_.take(operation);
  ++requests_;
  ports_.send_far(msg::make(kind, asked, operation.message.sectors), now, now);
}

FarOperation MirrorLink::take_answer(const Message& answer) {
  const FarOperation operation = operations_.remove(answer.as<L2Access>().token);
  writes_ -= operation.is_read ? 0 : 1;
  return operation;
}

void MirrorLink::add_to(stats::L2Counters& counters) const {
  counters.far_requests += requests_;
  counters.far_write_sectors += write_sectors_;
  counters.far_atomic_sectors += atomic_sectors_;
  counters.far_invalidations += invalidations_;
}

void MirrorLink::restart() {
  requests_ = 0;
  write_sectors_ = 0;
  atomic_sectors_ = 0;
  invalidations_ = 0;
}

}  // namespace gpusim::mem::l2
