// SPDX-License-Identifier: MIT
#include "tests/commands/lab/serve/served.h"

#include <array>
#include <csignal>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/output_file.h"
#include "sim/commands/lab/course/file_text.h"
#include "sim/commands/lab/serve/serve.h"

namespace gpusim::lab_test {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t is_over = 0;

std::string read_up_to_end(int from) {
  std::string text;
  std::array<char, 65536> part{};
  for (ssize_t size = 0; (size = ::read(from, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  return text;
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::send(to, text.data(), text.size(), MSG_NOSIGNAL);
    if (size <= 0) {
      return;  // the server has closed its side: its reply says why
    }
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

[[noreturn]] void be_server(const fs::path& folder, double wall_seconds, int address_to) {
  std::signal(SIGTERM, [](int) { is_over = 1; });
  lab::ServeOptions options;
  options.folder = folder;
  options.wall_seconds = wall_seconds;
  options.student_of = [](const lab::Lab& lab, const fs::path&) { return lab::student_of(lab, "mary"); };
  lab::serve(
      options,
      [address_to](const std::string& address) {
        const ssize_t written = ::write(address_to, address.data(), address.size());
        ::close(address_to);
        if (written != static_cast<ssize_t>(address.size())) {
          ::_exit(1);
        }
      },
      [] { return is_over != 0; });
  ::_exit(0);
}

}  // namespace

Served::Served(double wall_seconds) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::close(ends[0]);
    be_server(folder(), wall_seconds, ends[1]);
  }
  ::close(ends[1]);
  const std::string address = read_up_to_end(ends[0]);  // http://127.0.0.1:PORT/TOKEN/
  ::close(ends[0]);
  const std::string before = "http://127.0.0.1:";
  REQUIRE(address.starts_with(before));
  const std::size_t slash = address.find('/', before.size());
  port_ = static_cast<std::uint16_t>(std::stoi(address.substr(before.size(), slash - before.size())));
  token_ = address.substr(slash + 1, address.size() - slash - 2);
}

Served::~Served() {
  ::kill(pid_, SIGTERM);
  ::waitpid(pid_, nullptr, 0);
}

Response Served::raw(const std::string& bytes) const {
  const int to = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port_);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(to, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
  write_all(to, bytes);
  const std::string all = read_up_to_end(to);
  ::close(to);
  const std::size_t end = all.find("\r\n\r\n");
  Response response;
  if (all.starts_with("HTTP/1.1 ") && end != std::string::npos) {
    response.status = std::stoi(all.substr(9, 3));
    response.head = all.substr(0, end + 2);
    response.body = all.substr(end + 4);
  }
  return response;
}

std::string Served::host() const {
  return "Host: 127.0.0.1:" + std::to_string(port_) + "\r\n";
}

std::string Served::from_page(std::size_t bytes) const {
  return "Origin: http://127.0.0.1:" + std::to_string(port_) +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(bytes) + "\r\n";
}

std::string Served::head(const std::string& method, const std::string& target, const std::string& more) const {
  return method + " " + target + " HTTP/1.1\r\n" + more + "\r\n";
}

Response Served::get(const std::string& place) const {
  return raw(head("GET", "/" + token_ + place, host()));
}

Response Served::post(const std::string& place, const nlohmann::json& body) const {
  const std::string text = body.dump();
  return raw(head("POST", "/" + token_ + place, host() + from_page(text.size())) + text);
}

void Served::begin() const {
  const Response begun = post("/labs/coalescing/begin");
  INFO(begun.body);
  REQUIRE(begun.status == 200);
}

nlohmann::json Served::file(const std::string& name) const {
  const nlohmann::json state = get("/labs/coalescing/state").json();
  for (const nlohmann::json& each : state.at("files")) {
    if (each.at("name") == name) {
      return each;
    }
  }
  FAIL("no file " + name);
  return {};
}

void Served::change_kernel(const std::string& word, const std::string& other) const {
  std::string text = lab::text_of(work() / "kernel.trace");
  const std::size_t at = text.find(word);
  REQUIRE(at != std::string::npos);
  OutputFile(work() / "kernel.trace").commit(text.replace(at, word.size(), other));
}

nlohmann::json Served::kernel_run() {
  return {{"trace", "kernel.trace"},
          {"arch", "t4"},
          {"params", {"n=8192", "fields=4"}},
          {"set", nlohmann::json::array()},
          {"cache", "cold"},
          {"begin", 0},
          {"end", 400}};
}

}  // namespace gpusim::lab_test
