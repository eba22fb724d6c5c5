// SPDX-License-Identifier: MIT
#include "sim/base/text.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/commands/sweep/analysis/analysis.h"
#include "sim/commands/sweep/analysis/sections.h"
#include "sim/commands/sweep/analysis/words.h"
#include "sim/commands/sweep/formula/quantity.h"
#include "sim/output/plot/text_plot.h"
#include "sim/output/text/layout.h"

namespace gpusim::sweep {
namespace {

/// Curves and lists beyond these are left to JSON and CSV.
constexpr std::size_t kMostCurvesShown = 4;
constexpr std::size_t kMostListed = 20;
constexpr std::size_t kMostNamed = 3;
constexpr plot::Size kPlotSize{78, 9};

std::string left_out(std::size_t total, std::size_t shown, const std::string& what) {
  return total <= shown ? ""
                        : layout::wrapped(fmt::format("... and {} more {}; --format json has all", total - shown, what),
                                          layout::kIndent);
}

class TextReport {
 public:
  TextReport(const Analysis& analysis, const layout::Look& look)
      : analysis_(analysis), look_(look), keys_(varying_keys(analysis)) {}

  std::string text() {
    add_head();
    add_troubles();
    for (const TraceAnalysis& trace : analysis_.traces) {
      for (const Section& section : trace_sections(analysis_, trace)) {
        add(section);
      }
    }
    add(without_cost_section(analysis_));
    for (const GroupAnalysis& group : analysis_.groups) {
      add(sensitivity_section(analysis_, group));
      const std::vector<Section> curves = scaling_sections(analysis_, group);
      const std::size_t shown = std::min(curves.size(), kMostCurvesShown);
      std::for_each_n(curves.begin(), shown, [this](const Section& curve) { add(curve); });
      out_ += left_out(curves.size(), shown, "scaling curves");
      add(bound_section(group));
    }
    return out_;
  }

 private:
  void add_head() {
    out_ += layout::paint(counted(points_asked(analysis_), "point"), layout::Style::kStrong, look_) +
            outcome_text(analysis_) + "\n";
    for (const std::string& omission : omissions(analysis_)) {
      out_ += layout::paint(layout::wrapped(omission, 0), layout::Style::kWarning, look_);
    }
  }

  void add_troubles() {
    if (analysis_.troubles.empty()) {
      return;
    }
    out_ += layout::heading("Without a result", "", look_);
    for (std::size_t i = 0; i < std::min(analysis_.troubles.size(), kMostListed); ++i) {
      const Trouble& trouble = analysis_.troubles[i];
      out_ += layout::wrapped(fmt::format("{} {}: {}", trouble.rows.size(), trouble.status, printable(trouble.reason)),
                              layout::kIndent);
      const std::size_t named = std::min(trouble.rows.size(), kMostNamed);
      for (std::size_t k = 0; k < named; ++k) {
        out_ += layout::wrapped(place_of(analysis_.rows[trouble.rows[k]], keys_), 2 * layout::kIndent);
      }
      if (trouble.rows.size() > named) {
        out_ += layout::wrapped(fmt::format("and {} more", trouble.rows.size() - named), 2 * layout::kIndent);
      }
    }
    out_ += left_out(analysis_.troubles.size(), kMostListed, "reasons");
  }

  void add(const std::optional<Section>& section) {
    if (section) {
      add(*section);
    }
  }

  void add(const Section& section) {
    out_ += layout::heading(section.title, section.remark, look_);
    add_sentences(section.before);
    if (!section.header.empty()) {
      out_ += table_text(section) + left_out(section.rows.size(), most_rows(section), section.rows_are);
    }
    add_sentences(section.after);
    if (section.plot) {
      out_ += plot::to_text(*section.plot, kPlotSize, look_.unicode);
    }
  }

  /// Rows without a name were chosen by the reader, as with --top: all are shown.
  static std::size_t most_rows(const Section& section) {
    return section.rows_are.empty() ? section.rows.size() : kMostListed;
  }

  [[nodiscard]] std::string table_text(const Section& section) const {
    std::vector<std::size_t> shown(std::min(section.rows.size(), most_rows(section)));
    std::iota(shown.begin(), shown.end(), 0);
    if (section.is_curve) {
      shown = spread_over(section.rows.size(), kMostListed);
    }
    std::vector<std::vector<std::string>> rows;
    std::ranges::transform(shown, std::back_inserter(rows), [&section](std::size_t row) { return section.rows[row]; });
    give_one_unit(rows, 0, section.header.size());
    layout::Table table(section.alignment, section.header);
    std::ranges::for_each(rows, [&table](std::vector<std::string>& row) { table.add(std::move(row)); });
    return table.to_text(look_);
  }

  void add_sentences(const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) {
      out_ += layout::wrapped(sentence, layout::kIndent);
    }
  }

  const Analysis& analysis_;
  const layout::Look& look_;
  std::vector<std::string> keys_;
  std::string out_;
};

}  // namespace

std::string to_text(const Analysis& analysis, const layout::Look& look) {
  return TextReport(analysis, look).text();
}

}  // namespace gpusim::sweep
