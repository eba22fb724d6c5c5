// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/server.h"

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

#include "sim/base/problem.h"
#include "sim/commands/lab/serve/child.h"

namespace gpusim::lab {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = net::ip::tcp;
using Failure = boost::system::error_code;

constexpr std::size_t kMostConnections = 64;
constexpr std::size_t kMostHeaderBytes = 8192;
/// What work may return.
constexpr std::size_t kMostOutput = 16U << 20U;
/// What is read of a request that was refused before its end: whoever sends sees the reply only after that.
constexpr std::size_t kMostDrained = 8U << 20U;
constexpr auto kRequestTime = std::chrono::seconds(10);
constexpr auto kDrainTime = std::chrono::seconds(2);
/// Wall-clock time that work may take. The runs in it have limits of processor time.
constexpr auto kWorkTime = std::chrono::seconds(120);
constexpr auto kAskEvery = std::chrono::milliseconds(50);

std::string text_of_field(const http::fields& fields, http::field name) {
  const auto text = fields[name];
  return {text.data(), text.size()};
}

/// The head of a reply. It holds only our own texts, and nothing that was sent to the server.
std::string head_of(const Reply& reply, std::size_t bytes) {
  const auto phrase = http::obsolete_reason(http::int_to_status(reply.status));
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + " " + std::string(phrase.data(), phrase.size());
  head += "\r\nContent-Type: " + reply.type + "; charset=utf-8";
  head += "\r\nContent-Length: " + std::to_string(bytes);
  head += "\r\nConnection: close";
  head += "\r\nCache-Control: no-store";
  head += "\r\nX-Content-Type-Options: nosniff";
  head += "\r\nReferrer-Policy: no-referrer";
  head += "\r\nCross-Origin-Opener-Policy: same-origin";
  head += "\r\nCross-Origin-Resource-Policy: same-origin";
  head += std::string("\r\nContent-Security-Policy: frame-ancestors ") + (reply.may_be_framed ? "'self'" : "'none'");
  return head + "\r\n\r\n";
}

/// One connection: a request, and its reply.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const Server::Handler& handler, std::size_t& open)
      : stream_(std::move(socket)), handler_(handler), open_(open) {
    ++open_;
    parser_.body_limit(Server::kMostBytes);
    parser_.header_limit(kMostHeaderBytes);
  }
  ~Session() { --open_; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() {
    stream_.expires_after(kRequestTime);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](Failure error, std::size_t) { self->received(error); });
  }

 private:
  void received(Failure error);
  void send(Reply reply);
  void drain();

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{Server::kMostBytes + kMostHeaderBytes};
  http::request_parser<http::string_body> parser_;
  std::string head_;  ///< head of the reply
  std::string body_;
  std::array<char, 65536> rest_{};
  std::size_t drained_ = 0;
  const Server::Handler& handler_;
  std::size_t& open_;
};

void Session::received(Failure error) {
  if (error == http::error::body_limit) {
    send(problem_reply(413, "The request is larger than 2 MiB."));
  } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    send(problem_reply(431, "The head of the request is too large."));
  } else if (error.category() == make_error_code(http::error::bad_method).category() &&
             error != http::error::end_of_stream && error != http::error::partial_message) {
    send(problem_reply(400, "That is not a request."));
  } else if (!error) {
    stream_.expires_never();  // from here on the time is that of the work
    http::request<http::string_body> got = parser_.release();
    const Request request{std::string(got.method_string()),
                          std::string(got.target()),
                          text_of_field(got, http::field::host),
                          text_of_field(got, http::field::origin),
                          text_of_field(got, http::field::content_type),
                          std::move(got.body())};
    handler_(request, [self = shared_from_this()](Reply reply) { self->send(std::move(reply)); });
  }
}

void Session::send(Reply reply) {
  body_ = std::move(reply.body);
  head_ = head_of(reply, body_.size());
  stream_.expires_after(kRequestTime);
  const std::array<net::const_buffer, 2> all{net::buffer(head_), net::buffer(body_)};
  net::async_write(stream_, all, [self = shared_from_this()](Failure error, std::size_t) {
    Failure ignored;
    self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    if (!error) {
      self->stream_.expires_after(kDrainTime);
      self->drain();
    }
  });
}

void Session::drain() {
  stream_.async_read_some(net::buffer(rest_), [self = shared_from_this()](Failure error, std::size_t size) {
    self->drained_ += size;
    if (!error && self->drained_ < kMostDrained) {
      self->drain();
    }
  });
}

/// A process, while it is under way.
struct Running {
  Running(net::io_context& io, const Child& started) : child(started), output(io, started.output), timer(io) {}
  Child child;
  net::posix::stream_descriptor output;
  net::steady_timer timer;
  std::string said;
};

}  // namespace

class Server::Impl {
 public:
  explicit Impl(std::uint16_t port) : acceptor_(io_) {
    const tcp::endpoint here(net::ip::address_v4::loopback(), port);
    try {
      acceptor_.open(here.protocol());
      acceptor_.set_option(net::socket_base::reuse_address(true));
      acceptor_.bind(here);
      acceptor_.listen();
    } catch (const boost::system::system_error& error) {
      throw InputError({{"127.0.0.1:" + std::to_string(port), 0, 0},
                        "cannot be listened on: " + error.code().message(),
                        "--port 0 takes any port that is free"});
    }
  }

  ~Impl() {
    if (running_) {
      end_child(running_->child);
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

  void run(Handler handler, std::function<bool()> is_over) {
    handler_ = std::move(handler);
    is_over_ = std::move(is_over);
    ask_whether_over();
    accept();
    io_.run();
  }

  bool start(const Work& work, Done done);

 private:
  void accept();
  void ask_whether_over();
  void finish(const Done& done);

  // What is under way when io_ ends still knows these.
  Handler handler_;
  std::function<bool()> is_over_;
  std::size_t open_ = 0;
  net::io_context io_{1};
  tcp::acceptor acceptor_;
  net::steady_timer over_{io_};
  std::shared_ptr<Running> running_;
};

void Server::Impl::accept() {
  acceptor_.async_accept([this](Failure error, tcp::socket socket) {
    if (!error && open_ < kMostConnections) {
      std::make_shared<Session>(std::move(socket), handler_, open_)->start();
    }
    accept();
  });
}

void Server::Impl::ask_whether_over() {
  if (is_over_()) {
    io_.stop();
    return;
  }
  over_.expires_after(kAskEvery);
  over_.async_wait([this](Failure) { ask_whether_over(); });
}

bool Server::Impl::start(const Work& work, Done done) {
  if (running_) {
    return false;
  }
  running_ = std::make_shared<Running>(io_, start_child(work));
  running_->timer.expires_after(kWorkTime);
  running_->timer.async_wait([running = running_](Failure error) {
    if (!error) {
      running->output.cancel();
    }
  });
  net::async_read(running_->output, net::dynamic_buffer(running_->said, kMostOutput),
                  [this, running = running_, done = std::move(done)](Failure error, std::size_t) {
                    if (error != net::error::eof) {
                      running->said.clear();  // too much, or too late
                    }
                    finish(done);
                  });
  return true;
}

void Server::Impl::finish(const Done& done) {
  const std::shared_ptr<Running> ended = std::exchange(running_, nullptr);
  ended->timer.cancel();
  end_child(ended->child);
  done(std::move(ended->said));
}

Server::Server(std::uint16_t port) : impl_(std::make_unique<Impl>(port)) {}
Server::~Server() = default;

std::uint16_t Server::port() const {
  return impl_->port();
}

void Server::run(Handler handler, std::function<bool()> is_over) {
  impl_->run(std::move(handler), std::move(is_over));
}

bool Server::start(const Work& work, Done done) {
  return impl_->start(work, std::move(done));
}

}  // namespace gpusim::lab
