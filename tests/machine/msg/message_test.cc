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
static_assert(sizeof(L2Access) == 20 && sizeof(DsmemRequest) == 20 && sizeof(DsmemAnswer) == 20);

TEST_CASE("an access of L2 arrives as it was sent, whatever its kind") {
  L2Access access;
  access.address = kBig;
  access.token = 0xffff'fffeU;
  access.requester = 0xfffd;
  access.slice = 0xfffc;
  access.full = 0x9;
  access.is_last = 1;
  access.atomic = {128, 32, AtomicType::kHalf};
  for_each_kind<L2Access>([&](Kind kind) {
    const Message message = sent(make(kind, access, 0xb));
    CHECK(message.kind() == kind);
    CHECK(message.sectors == 0xb);
    const auto& arrived = message.as<L2Access>();
    CHECK(arrived.address == kBig);
    CHECK(arrived.token == 0xffff'fffeU);
    CHECK(arrived.requester == 0xfffd);
    CHECK(arrived.slice == 0xfffc);
    CHECK(arrived.full == 0x9);
    CHECK(arrived.is_last == 1);
    CHECK(arrived.leaves_soon == 0);
    CHECK(arrived.atomic.passes == 128);
    CHECK(arrived.atomic.depth == 32);
    CHECK(arrived.atomic.type == AtomicType::kHalf);
  });
}

TEST_CASE("credits, CTAs and addresses arrive as they were sent") {
  const Message credit = sent(make(Kind::kCredit, Credit{0xfffe, 0xfffd}));
  CHECK(credit.as<Credit>().slice == 0xfffe);
  CHECK(credit.as<Credit>().places == 0xfffd);
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
  DsmemRequest request{kBig, 0xffff'fffeU, 0xfffd, 0xfffc};
  request.rank = 63;
  request.signals = 1;
  request.amount = 0xff'fffe;
  for_each_kind<DsmemRequest>([&](Kind kind) {
    const Message message = sent(make(kind, request, 0x5));
    CHECK(message.sectors == 0x5);
    const auto& arrived = message.as<DsmemRequest>();
    CHECK(arrived.cluster == kBig);
    CHECK(arrived.token == 0xffff'fffeU);
    CHECK(arrived.requester == 0xfffd);
    CHECK(arrived.mbarrier == 0xfffc);
    CHECK(arrived.rank == 63);
    CHECK(arrived.signals == 1);
    CHECK(arrived.amount == 0xff'fffe);
  });
  DsmemAnswer answer{0xffff'fffeU, 0xfffd, 0xfffc};
  answer.misuse = 2;
  answer.amount = 0xff'fffe;
  answer.pending = 0xffff'fffdU;
  answer.expected = 0xffff'fffcU;
  for_each_kind<DsmemAnswer>([&](Kind kind) {
    const Message message = sent(make(kind, answer));
    const auto& arrived = message.as<DsmemAnswer>();
    CHECK(arrived.token == 0xffff'fffeU);
    CHECK(arrived.requester == 0xfffd);
    CHECK(arrived.server == 0xfffc);
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
  L2Access access;
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
    if (row.answer && row.payload != PayloadType::kDsmemRequest && row.kind != Kind::kCtaLaunch) {
      CHECK(payload_of(*row.answer) == row.payload);
    }
  }
}

TEST_CASE("sectors take room on a link only where a message carries their data") {
  CHECK(wire_bytes(make(Kind::kRead, L2Access{}, 0xf), 32) == 32);
  CHECK(wire_bytes(make(Kind::kReadReply, L2Access{}, 0x7), 32) == 32 + 3 * 32);
  CHECK(wire_bytes(make(Kind::kWrite, L2Access{}, 0x1), 16) == 16 + 32);
  CHECK(wire_bytes(make(Kind::kWriteAck, L2Access{}, 0x1), 16) == 16);
  CHECK(wire_bytes(make(Kind::kDsmemReply, DsmemAnswer{}, 0x3), 0) == 64);
  CHECK(wire_bytes(make(Kind::kRemoteArrive, DsmemRequest{}), 16) == 16);
  CHECK(wire_bytes(make(Kind::kMulticastSent, L2Access{}, 0xf), 16) == 16);
}
