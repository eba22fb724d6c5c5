// SPDX-License-Identifier: MIT
#include "sim/commands/lab/page/markdown.h"

#include <array>
#include <new>

#include <md4c.h>

#include "sim/base/problem.h"
#include "sim/commands/lab/page/templates.h"

namespace gpusim::lab {
namespace {

constexpr unsigned kDialect = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_NOHTML;

/// A block of code that begins so is the table of a picture, which the script of the page draws.
constexpr std::string_view kPicture = "picture ";

/// U+FFFD stands for a zero byte.
constexpr std::string_view kReplacement = "\xef\xbf\xbd";

/// Writes HTML while md4c reads.
class HtmlWriter {
 public:
  explicit HtmlWriter(const PictureOf& picture_of) : picture_of_(picture_of) {}

  void enter_block(MD_BLOCKTYPE type, const void* detail);
  void leave_block(MD_BLOCKTYPE type, const void* detail);
  void enter_span(MD_SPANTYPE type, const void* detail);
  void leave_span(MD_SPANTYPE type);
  void text(MD_TEXTTYPE type, std::string_view text);
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void open_code(const MD_BLOCK_CODE_DETAIL& code);
  void open_link(const MD_SPAN_A_DETAIL& link);
  void close_picture();

  const PictureOf& picture_of_;
  std::string out_;
  bool in_link_ = false;     ///< one that leads somewhere
  unsigned pictures_ = 0;    ///< that are open, one in the description of the other
  std::string picture_;      ///< where the outermost one is
  std::string description_;  ///< escaped
};

/// The name of an element without attributes of its own; nullptr when there is none.
const char* element_of(MD_BLOCKTYPE type) {
  switch (type) {
    case MD_BLOCK_QUOTE: return "blockquote";
    case MD_BLOCK_UL: return "ul";
    case MD_BLOCK_OL: return "ol";
    case MD_BLOCK_LI: return "li";
    case MD_BLOCK_P: return "p";
    case MD_BLOCK_TABLE: return "table";
    case MD_BLOCK_THEAD: return "thead";
    case MD_BLOCK_TBODY: return "tbody";
    case MD_BLOCK_TR: return "tr";
    case MD_BLOCK_TH: return "th";
    case MD_BLOCK_TD: return "td";
    default: return nullptr;
  }
}

const char* element_of(MD_SPANTYPE type) {
  switch (type) {
    case MD_SPAN_EM: return "em";
    case MD_SPAN_STRONG: return "strong";
    case MD_SPAN_CODE: return "code";
    case MD_SPAN_DEL: return "del";
    default: return nullptr;
  }
}

void append_element(std::string& out, std::string_view before, std::string_view name) {
  out.append(before).append(name).append(1, '>');
}

/// An attribute as it was written. An entity could spell what it is not allowed to be: then it is empty.
std::string plain_text(const MD_ATTRIBUTE& attribute) {
  std::string text;
  for (std::size_t i = 0; attribute.size != 0 && attribute.substr_offsets[i] < attribute.size; ++i) {
    const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
    if (attribute.substr_types[i] != MD_TEXT_NORMAL && part != "&amp;") {
      return "";
    }
    text += part == "&amp;" ? "&" : part;
  }
  return text;
}

bool leads_out(std::string_view address) {
  return address.starts_with("https://") || address.starts_with("http://");
}

std::string_view class_of(MD_ALIGN align) {
  return align == MD_ALIGN_RIGHT ? " class=\"number\"" : align == MD_ALIGN_CENTER ? " class=\"centre\"" : "";
}

void HtmlWriter::open_code(const MD_BLOCK_CODE_DETAIL& code) {
  const std::string info = plain_text(code.info);
  const std::string picture = info.starts_with(kPicture) ? info.substr(kPicture.size()) : "";
  out_ += picture.empty() ? "<pre tabindex=\"0\"><code>"
                          : "<pre tabindex=\"0\" data-picture=\"" + html_escaped(picture) + "\"><code>";
}

void HtmlWriter::enter_block(MD_BLOCKTYPE type, const void* detail) {
  switch (type) {
    case MD_BLOCK_HR: out_ += "<hr>\n"; break;
    case MD_BLOCK_H: out_ += "<h" + std::to_string(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level) + '>'; break;
    case MD_BLOCK_CODE: open_code(*static_cast<const MD_BLOCK_CODE_DETAIL*>(detail)); break;
    case MD_BLOCK_OL:
      out_ += "<ol start=\"" + std::to_string(static_cast<const MD_BLOCK_OL_DETAIL*>(detail)->start) + "\">\n";
      break;
    case MD_BLOCK_TH:
      out_.append("<th scope=\"col\"");
      out_.append(class_of(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align)).append(1, '>');
      break;
    case MD_BLOCK_TD:
      out_.append("<td").append(class_of(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align)).append(1, '>');
      break;
    default:
      if (const char* const name = element_of(type)) {
        append_element(out_, "<", name);
      }
  }
}

void HtmlWriter::leave_block(MD_BLOCKTYPE type, const void* detail) {
  if (type == MD_BLOCK_H) {
    out_ += "</h" + std::to_string(static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level) + ">\n";
  } else if (type == MD_BLOCK_CODE) {
    out_ += "</code></pre>\n";
  } else if (const char* const name = element_of(type)) {
    append_element(out_, "</", name);
    out_ += '\n';
  }
}

void HtmlWriter::open_link(const MD_SPAN_A_DETAIL& link) {
  const std::string address = plain_text(link.href);
  in_link_ = leads_out(address);
  if (in_link_) {
    out_ += "<a href=\"" + html_escaped(address) + "\" target=\"_blank\" rel=\"noreferrer noopener\">";
  }
}

void HtmlWriter::enter_span(MD_SPANTYPE type, const void* detail) {
  if (type == MD_SPAN_IMG) {
    if (pictures_++ == 0) {
      picture_ = plain_text(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src);
      description_.clear();
    }
  } else if (pictures_ != 0) {
    return;  // a description is text
  } else if (type == MD_SPAN_A) {
    open_link(*static_cast<const MD_SPAN_A_DETAIL*>(detail));
  } else if (const char* const name = element_of(type)) {
    append_element(out_, "<", name);
  }
}

void HtmlWriter::close_picture() {
  const std::string data = picture_of_(picture_);
  out_ += data.starts_with("data:image/") ? "<img src=\"" + html_escaped(data) + "\" alt=\"" + description_ + "\">"
                                          : description_;
}

void HtmlWriter::leave_span(MD_SPANTYPE type) {
  if (type == MD_SPAN_IMG) {
    if (--pictures_ == 0) {
      close_picture();
    }
  } else if (pictures_ != 0) {
    return;
  } else if (type == MD_SPAN_A) {
    out_ += in_link_ ? "</a>" : "";
    in_link_ = false;
  } else if (const char* const name = element_of(type)) {
    append_element(out_, "</", name);
  }
}

void HtmlWriter::text(MD_TEXTTYPE type, std::string_view text) {
  std::string& out = pictures_ != 0 ? description_ : out_;
  switch (type) {
    case MD_TEXT_NULLCHAR: out += kReplacement; break;
    case MD_TEXT_BR: out += pictures_ != 0 ? " " : "<br>\n"; break;
    case MD_TEXT_SOFTBR: out += '\n'; break;
    case MD_TEXT_ENTITY: out += text; break;  // md4c sends what is spelled as an entity, nothing else
    default: out += html_escaped(text);
  }
}

HtmlWriter& writer_of(void* user) {
  return *static_cast<HtmlWriter*>(user);
}

/// No exception may pass through C.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return 0;
  } catch (...) {
    return 1;
  }
}

}  // namespace

std::string html_of(std::string_view markdown, const PictureOf& picture_of) {
  MD_PARSER parser{};
  parser.flags = kDialect;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return guarded([&] { writer_of(user).enter_block(type, detail); });
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    return guarded([&] { writer_of(user).leave_block(type, detail); });
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    return guarded([&] { writer_of(user).enter_span(type, detail); });
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    return guarded([&] { writer_of(user).leave_span(type); });
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    return guarded([&] { writer_of(user).text(type, {text, size}); });
  };
  HtmlWriter writer(picture_of);
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &writer) != 0) {
    throw std::bad_alloc();  // Markdown has no errors
  }
  return writer.take();
}

}  // namespace gpusim::lab
