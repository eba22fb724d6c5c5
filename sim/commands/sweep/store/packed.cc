// SPDX-License-Identifier: MIT
#include "sim/commands/sweep/store/packed.h"

#include <memory>
#include <new>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <zstd.h>

namespace gpusim::sweep {
namespace {

using Json = nlohmann::ordered_json;

/// A damaged frame may claim any size; the JSON of a run of thousands of kernels is far below this.
constexpr unsigned long long kMostResultBytes = 1ULL << 30U;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json parsed(std::string_view text) {
  constexpr bool kThrow = false;
  return Json::parse(text, nullptr, kThrow);
}

}  // namespace

std::string compress(std::string_view text) {
  constexpr int kLevel = 6;  // a result shrinks to a tenth in milliseconds; higher levels gain little
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (context == nullptr) {
    throw std::bad_alloc();
  }
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);  // SQLite has no checksums of its own
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), text.data(), text.size());
  if (ZSTD_isError(size) != 0) {
    throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  }
  out.resize(size);
  return out;
}

std::optional<std::string> decompress(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMostResultBytes) {
    return std::nullopt;
  }
  std::string text(size, '\0');
  if (ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size()) != size) {
    return std::nullopt;
  }
  return text;
}

std::string to_json(const Pairs& pairs) {
  Json json = Json::object();
  for (const auto& [name, value] : pairs) {
    json[name] = value;
  }
  return dumped(json);
}

std::string to_json(const std::map<std::string, double>& metrics) {
  return dumped(Json(metrics));
}

std::optional<Pairs> pairs_of(std::string_view json) {
  const Json object = parsed(json);
  if (!object.is_object()) {
    return std::nullopt;
  }
  Pairs pairs;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) {
      return std::nullopt;
    }
    pairs.emplace_back(name, value.get<std::string>());
  }
  return pairs;
}

std::optional<std::map<std::string, double>> metrics_of(std::string_view json) {
  const Json object = parsed(json);
  if (!object.is_object()) {
    return std::nullopt;
  }
  std::map<std::string, double> metrics;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number()) {
      return std::nullopt;
    }
    metrics.emplace(name, value.get<double>());
  }
  return metrics;
}

}  // namespace gpusim::sweep
