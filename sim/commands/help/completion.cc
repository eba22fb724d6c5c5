// SPDX-License-Identifier: MIT
// The scripts for bash and zsh are one function each that finds the command in the words typed so far, then offers what
// the tables below it have for that command. fish takes a line for each option.
#include "sim/commands/help/completion.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "sim/base/text.h"

namespace gpusim::manual {
namespace {

/// What may stand where an option's value is wanted.
struct Values {
  std::vector<std::string> words;
  bool files = false;
};

bool is_path(std::string_view value) {
  constexpr std::array<std::string_view, 3> kPaths{"FILE", "DIR", "FOLDER"};
  return std::ranges::any_of(kPaths, [&](std::string_view path) { return value.find(path) != std::string_view::npos; });
}

Values values_of(const Option& option, const std::vector<Names>& names) {
  Values values{choices_of(option), is_path(option.value)};
  for (const Names& known : names) {
    if (option.value.find(known.placeholder) != std::string::npos) {
      values.words.insert(values.words.end(), known.words.begin(), known.words.end());
      values.files |= known.or_file;
    }
  }
  return values;
}

bool takes_value(const Option& option) {
  return !option.value.empty() && !option.value.starts_with("[=");
}

void for_each_command(const Command& command, const std::function<void(const Command&)>& visit) {
  visit(command);
  for (const Command& inner : command.commands) {
    for_each_command(inner, visit);
  }
}

/// In single quotes, for every one of the shells.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out + "'";
}

/// Rows of a case statement: 'gpusim arch'|'gpusim arch show') assignments ;;
class CaseRows {
 public:
  void add(const std::vector<std::string>& patterns, const std::string& action) {
    text_ += "    ";
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      text_ += (i == 0 ? "" : "|") + in_quotes(patterns[i]);
    }
    text_ += ") " + action + " ;;\n";
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// What is offered: words, and files where `files` is set.
std::string offer(const Values& values) {
  return "words=" + in_quotes(joined(values.words, " ")) + (values.files ? " files=yes" : "");
}

std::string paths_of_commands(const Command& program) {
  CaseRows rows;
  for_each_command(program, [&](const Command& command) {
    if (&command != &program) {
      rows.add({command.path}, "command=\"$command $word\"");
    }
  });
  return rows.text();
}

std::string values_of_options(const Command& program, const std::vector<Names>& names) {
  CaseRows rows;
  for_each_command(program, [&](const Command& command) {
    for (const Option& option : command.options) {
      if (option.names.empty() || !takes_value(option)) {
        continue;
      }
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) {
        patterns.push_back(command.path + " " + name);
      }
      rows.add(patterns, offer(values_of(option, names)));
    }
  });
  return rows.text();
}

/// What completes after each command: its subcommands, its options, and the values of its positional arguments.
std::string words_of_commands(const Command& program, const std::vector<Names>& names) {
  CaseRows rows;
  for_each_command(program, [&](const Command& command) {
    Values values;
    for (const Command& inner : command.commands) {
      values.words.push_back(inner.name);
    }
    for (const Option& option : command.options) {
      if (option.names.empty()) {
        const Values alone = values_of(option, names);
        values.words.insert(values.words.end(), alone.words.begin(), alone.words.end());
        values.files |= alone.files;
      }
      std::ranges::copy_if(option.names, std::back_inserter(values.words),
                           [](const std::string& name) { return name.starts_with("--"); });
    }
    rows.add({command.path}, offer(values));
  });
  return rows.text();
}

/// The part that bash and zsh share: from $words_typed and $previous to $words and $files.
std::string search(const Command& program, const std::vector<Names>& names) {
  return "  for word in \"${typed[@]}\"; do\n    case \"$command $word\" in\n" + paths_of_commands(program) +
         "    esac\n  done\n  case \"$command $previous\" in\n" + values_of_options(program, names) +
         "    *)\n    case \"$command\" in\n" + words_of_commands(program, names) + "    esac ;;\n  esac\n";
}

std::string bash(const Command& program, const std::vector<Names>& names) {
  return "# Completion of gpusim in bash, made by: gpusim help --completion bash\n"
         "_gpusim() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=gpusim word words= files=\n"
         "  local typed=(\"${COMP_WORDS[@]:1:COMP_CWORD-1}\")\n" +
         search(program, names) +
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  if [[ -n $files ]]; then\n"
         "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$current\")\n"
         "    compopt -o filenames\n"
         "  fi\n"
         "}\n"
         "complete -F _gpusim gpusim\n";
}

std::string zsh(const Command& program, const std::vector<Names>& names) {
  return "#compdef gpusim\n"
         "# Completion of gpusim in zsh, made by: gpusim help --completion zsh\n"
         "_gpusim() {\n"
         "  local previous=${words[CURRENT-1]} command=gpusim word files=\n"
         "  local -a typed=(\"${(@)words[2,CURRENT-1]}\")\n"
         "  local words=\n" +
         search(program, names) +
         "  compadd -- ${=words}\n"
         "  [[ -z $files ]] || _files\n"
         "}\n"
         "compdef _gpusim gpusim\n";
}

/// The condition under which fish offers what belongs to a command: all its words were typed, none of a command below.
std::string fish_condition(const Command& command) {
  std::string condition;
  std::string path = command.path;
  while (path.find(' ') != std::string::npos) {
    const std::size_t space = path.rfind(' ');
    condition =
        "__fish_seen_subcommand_from " + path.substr(space + 1) + (condition.empty() ? "" : "; and ") + condition;
    path.resize(space);
  }
  std::vector<std::string> below;
  for (const Command& inner : command.commands) {
    below.push_back(inner.name);
  }
  if (!below.empty()) {
    condition +=
        (condition.empty() ? "" : "; and ") + std::string("not __fish_seen_subcommand_from ") + joined(below, " ");
  }
  return condition.empty() ? "" : " -n " + in_quotes(condition);
}

std::string described(const Option& option) {
  return option.names.empty() ? "" : " -d " + in_quotes(option.what);
}

std::string fish_option(const Option& option, const std::string& condition, const std::vector<Names>& names) {
  std::string line = "complete -c gpusim" + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const Values values = values_of(option, names);
  if (takes_value(option)) {
    line += values.files ? " -r -F" : " -x";
  }
  const bool has_words = !values.words.empty() && (takes_value(option) || option.names.empty());
  const std::string words = has_words ? line + " -a " + in_quotes(joined(values.words, " ")) + "\n" : "";
  // The values have a line of their own: fish would show the description of the option beside each of them.
  return option.names.empty() && has_words ? words : line + described(option) + "\n" + words;
}

std::string fish(const Command& program, const std::vector<Names>& names) {
  std::string text = "# Completion of gpusim in fish, made by: gpusim help --completion fish\n";
  for_each_command(program, [&](const Command& command) {
    const std::string condition = fish_condition(command);
    for (const Command& inner : command.commands) {
      text += "complete -c gpusim" + condition + " -f -a " + inner.name + " -d " + in_quotes(inner.what) + "\n";
    }
    for (const Option& option : command.options) {
      text += fish_option(option, condition, names);
    }
  });
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*script)(const Command& program, const std::vector<Names>& names);
};
constexpr std::array kShells{Shell{"bash", bash}, Shell{"zsh", zsh}, Shell{"fish", fish}};

}  // namespace

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Shell& shell : kShells) {
      all.emplace_back(shell.name);
    }
    return all;
  }();
  return names;
}

std::string completion(const Command& program, const std::vector<Names>& names, const std::string& shell) {
  return std::ranges::find(kShells, shell, &Shell::name)->script(program, names);
}

}  // namespace gpusim::manual
