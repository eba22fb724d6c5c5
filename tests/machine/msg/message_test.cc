// SPDX-License-Identifier: MIT
#include "sim/machine/msg/message.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include <catch2/catch.hpp>

using namespace gpusim;
using namespace gpusim::msg;

namespace {

/// What arrives when the message is copied byte by byte, as containers do.
Message sent(const Message& message) {
  std::array<std::byte, sizeof(Message)> wire{};
  std::memcpy(wire.data(), &message, sizeof(Message));
  Message arrived;
  std::memcpy(&arrived, wire.data(), sizeof(Message));
  return arrived;
}

/// Calls `check(kind)` for each kind whose payload is a View; there has to be one.
template <class View, class Check>
void for_each_kind(Check&& check) {
  int kinds = 0;
  for (const KindRow& row : kKinds) {
    if (row.payload == View::kType) {
      ++kinds;
      check(row.kind);
    }
  }
  CHECK(kinds > 0);
}

constexpr std::uint64_t kBig = 0xfedc'ba98'7654'3210ULL;

}  // namespace

static_assert(sizeof(Message) == 32 && std::is_trivially_copyable_v<Message>);
static_assert(sizeof(SmAccess) == 20 && sizeof(FarAccess) == 20);
static_assert(sizeof(DsmemAccess) == 20 && sizeof(MbarrierRequest) == 20 && sizeof(MbarrierRefusal) == 20);

namespace {

/// The same words in all that two payloads have in common.
void fill(L2Access& access) {
  access.address = kBig;
  access.token = 0xffff'fffeU;
  access.slice = 0xfffc;
  access.full = 0x9;
  access.is_last = 1;
  access.atomic = {128, 32, AtomicType::kHalf};
}
void check_filled(const L2Access& access) {
  CHECK(access.address == kBig);
  CHECK(access.token == 0xffff'fffeU);
  CHECK(access.slice == 0xfffc);
  CHECK(access.full == 0x9);
  CHECK(access.is_last == 1);
  CHECK(access.leaves_soon == 0);
  CHECK(access.atomic.passes == 128);
  CHECK(access.atomic.depth == 32);
  CHECK(access.atomic.type == AtomicType::kHalf);
}
void fill(DsmemAsk& ask) {
  ask.cluster = kBig;
  ask.token = 0xffff'fffeU;
  ask.requester = 0xfffd;
  ask.mbarrier = 0xfffc;
  ask.rank = 63;
}
void check_filled(const DsmemAsk& ask) {
  CHECK(ask.cluster == kBig);
  CHECK(ask.token == 0xffff'fffeU);
  CHECK(ask.requester == 0xfffd);
  CHECK(ask.mbarrier == 0xfffc);
  CHECK(ask.rank == 63);
}
void check_filled(const DsmemReply& reply) {
  CHECK(reply.token == 0xffff'fffeU);
  CHECK(reply.requester == 0xfffd);
  CHECK(reply.server == 0xfffc);
}

}  // namespace

TEST_CASE("an access of L2 arrives as it was sent, whatever its kind") {
  SmAccess of_sm;
  fill(of_sm);
  of_sm.requester = 0xfffd;
  for_each_kind<SmAccess>([&](Kind kind) {
    const Message message = sent(make(kind, of_sm, 0xb));
    CHECK(message.kind() == kind);
    CHECK(message.sectors == 0xb);
    check_filled(message.as<L2Access>());
    CHECK(message.as<SmAccess>().requester == 0xfffd);
  });
  FarAccess of_slice;
  fill(of_slice);
  of_slice.asking_slice = 0xfffb;
  for_each_kind<FarAccess>([&](Kind kind) {
    const Message message = sent(make(kind, of_slice, 0xb));
    check_filled(message.as<L2Access>());
    CHECK(message.as<FarAccess>().asking_slice == 0xfffb);
  });
}

TEST_CASE("credits, CTAs and addresses arrive as they were sent") {
  const Message of_slice = sent(make(Kind::kSliceCredit, SliceCredit{0xfffe, 0xfffd}));
  CHECK(of_slice.as<SliceCredit>().slice == 0xfffe);
  CHECK(of_slice.as<SliceCredit>().places == 0xfffd);
  CHECK(sent(make(Kind::kSmCredit, SmCredit{0xfffc})).as<SmCredit>().places == 0xfffc);
  const Message launch = sent(make(Kind::kCtaLaunch, CtaLaunch{kBig}));
  CHECK(launch.as<CtaLaunch>().cta == kBig);
  const Message done = sent(make(Kind::kCtaDone, CtaDone{kBig, 0xfffe}));
  CHECK(done.as<CtaDone>().cta == kBig);
  CHECK(done.as<CtaDone>().sm == 0xfffe);
  for_each_kind<Translation>(
      [](Kind kind) { CHECK(sent(make(kind, Translation{kBig})).as<Translation>().address == kBig); });
  for_each_kind<ClusterMember>([](Kind kind) {
    const Message message = sent(make(kind, ClusterMember{kBig, 15, 0xfffe}));
    CHECK(message.as<ClusterMember>().cluster == kBig);
    CHECK(message.as<ClusterMember>().rank == 15);
    CHECK(message.as<ClusterMember>().sm == 0xfffe);
  });
}

TEST_CASE("what SMs ask of each other's shared memory arrives as it was sent, up to the largest amount") {
  DsmemAccess access;
  fill(access);
  access.signalled_bytes = 0xff'fffe;
  for_each_kind<DsmemAccess>([&](Kind kind) {
    const Message message = sent(make(kind, access, 0x5));
    CHECK(message.sectors == 0x5);
    check_filled(message.as<DsmemAsk>());
    CHECK(message.as<DsmemAccess>().signalled_bytes == 0xff'fffe);
  });
  MbarrierRequest operation;
  fill(operation);
  operation.amount = 0xff'fffe;
  for_each_kind<MbarrierRequest>([&](Kind kind) {
    const Message message = sent(make(kind, operation));
    check_filled(message.as<DsmemAsk>());
    CHECK(message.as<MbarrierRequest>().amount == 0xff'fffe);
  });
  for_each_kind<DsmemAnswer>([&](Kind kind) {
    const Message message = sent(make(kind, DsmemAnswer{{0xffff'fffeU, 0xfffd, 0xfffc}, 63}));
    check_filled(message.as<DsmemReply>());
    CHECK(message.as<DsmemAnswer>().rank == 63);
  });
  MbarrierRefusal refusal{{0xffff'fffeU, 0xfffd, 0xfffc}};
  refusal.misuse = 2;
  refusal.amount = 0xff'fffe;
  refusal.pending = 0xffff'fffdU;
  refusal.expected = 0xffff'fffcU;
  for_each_kind<MbarrierRefusal>([&](Kind kind) {
    const Message message = sent(make(kind, refusal));
    check_filled(message.as<DsmemReply>());
    const auto& arrived = message.as<MbarrierRefusal>();
    CHECK(arrived.misuse == 2);
    CHECK(arrived.amount == 0xff'fffe);
    CHECK(arrived.pending == 0xffff'fffdU);
    CHECK(arrived.expected == 0xffff'fffcU);
  });
}

TEST_CASE("multicast is announced and delivered as it was sent") {
  const Message to = sent(make(Kind::kMulticastTo, MulticastTargets{kBig, 0xffff'fffeU, 0xfffd, 0xfffc, 0xfffb, true}));
  const auto& targets = to.as<MulticastTargets>();
  CHECK(targets.cluster == kBig);
  CHECK(targets.token == 0xffff'fffeU);
  CHECK(targets.requester == 0xfffd);
  CHECK(targets.ranks == 0xfffc);
  CHECK(targets.mbarrier == 0xfffb);
  CHECK(targets.also_here);
  const Message announced =
      sent(make(Kind::kMulticastSize, MulticastSize{0xffff'fffeU, 0xfffd, 0xfffc, 0xfffb, 0xffff'fffaU}));
  const auto& size = announced.as<MulticastSize>();
  CHECK(size.token == 0xffff'fffeU);
  CHECK(size.requester == 0xfffd);
  CHECK(size.lines == 0xfffc);
  CHECK(size.units == 0xfffb);
  CHECK(size.pc == 0xffff'fffaU);
  const Message delivered =
      sent(make(Kind::kMulticastLine, MulticastLine{kBig, 0xffff'fffeU, 15, 0xfffd, 0xfffc}, 0xf));
  const auto& line = delivered.as<MulticastLine>();
  CHECK(delivered.sectors == 0xf);
  CHECK(line.cluster == kBig);
  CHECK(line.pc == 0xffff'fffeU);
  CHECK(line.rank == 15);
  CHECK(line.mbarrier == 0xfffd);
  CHECK(line.complete_units == 0xfffc);
}

TEST_CASE("a message of another kind keeps its header and its payload") {
  SmAccess access;
  access.token = 7;
  Message request = make(Kind::kAtomic, access, 0x6);
  request.time = 99;
  request.source = 5;
  const Message reply = request.as_kind(answer_to(request.kind()));
  CHECK(reply.kind() == Kind::kReadReply);
  CHECK(reply.time == 99);
  CHECK(reply.source == 5);
  CHECK(reply.sectors == 0x6);
  CHECK(reply.as<L2Access>().token == 7);
}

TEST_CASE("an answer has the payload of its request, but between SMs") {
  for (const KindRow& row : kKinds) {
    if (row.answer && row.payload != PayloadType::kDsmemAccess && row.payload != PayloadType::kMbarrierRequest &&
        row.kind != Kind::kCtaLaunch) {
      CHECK(payload_of(*row.answer) == row.payload);
    }
  }
}

TEST_CASE("sectors take room on a link only where a message carries their data") {
  CHECK(wire_bytes(make(Kind::kRead, SmAccess{}, 0xf), 32) == 32);
  CHECK(wire_bytes(make(Kind::kReadReply, SmAccess{}, 0x7), 32) == 32 + 3 * 32);
  CHECK(wire_bytes(make(Kind::kWrite, SmAccess{}, 0x1), 16) == 16 + 32);
  CHECK(wire_bytes(make(Kind::kWriteAck, SmAccess{}, 0x1), 16) == 16);
  CHECK(wire_bytes(make(Kind::kDsmemReply, DsmemAnswer{}, 0x3), 0) == 64);
  CHECK(wire_bytes(make(Kind::kRemoteArrive, MbarrierRequest{}), 16) == 16);
  CHECK(wire_bytes(make(Kind::kMulticastSent, SmAccess{}, 0xf), 16) == 16);
}
