// SPDX-License-Identifier: MIT
#include "tests/fuzz/container_parts.h"

#include "sim/input/container/file.h"
#include "sim/input/container/form.pb.h"

namespace gpusim::fuzz {
namespace {

/// Between messages: bytes that none of them is likely to have.
constexpr std::string_view kBetween = "\n\xff\xfe\xff\n";

}  // namespace

std::vector<std::string> messages_of(const std::filesystem::path& path) {
  container::File file(path);
  const container::Section section = file.index();
  const std::uint64_t at = file.size() - container::kEndBytes - section.stored;
  const std::string index_text = container::unpack(file.read(at, section.stored), section, file.name());
  container::form::Index index;
  std::vector<std::string> messages;
  if (index.ParseFromString(index_text)) {
    std::uint64_t offset = container::kStartBytes;
    for (int i = 0; i < index.sections().stored_size(); ++i) {
      const container::Section of{index.sections().stored(i), index.sections().bytes(i), index.sections().checksums(i)};
      messages.push_back(container::unpack(file.read(offset, of.stored), of, file.name()));
      offset += of.stored;
    }
  }
  messages.push_back(index_text);
  return messages;
}

std::string assemble(const std::vector<std::string>& messages) {
  std::string bytes = container::start_of_file();
  container::form::Index index;
  if (!index.ParseFromString(messages.back())) {
    return bytes;
  }
  index.clear_sections();
  container::Section section;
  for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
    bytes += container::pack(messages[i], "", section);
    index.mutable_sections()->add_stored(section.stored);
    index.mutable_sections()->add_bytes(section.bytes);
    index.mutable_sections()->add_checksums(section.checksum);
  }
  bytes += container::pack(index.SerializeAsString(), "", section);
  return bytes + container::end_of_file(section);
}

std::string join_messages(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) {
    text.append(text.empty() ? "" : kBetween).append(message);
  }
  return text;
}

std::vector<std::string> split_messages(std::string_view text) {
  std::vector<std::string> messages;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(kBetween, at), text.size());
    messages.emplace_back(text.substr(at, end - at));
    at = end + kBetween.size();
  }
  return messages;
}

}  // namespace gpusim::fuzz
