// SPDX-License-Identifier: MIT
#include "sim/commands/lab/serve/serve.h"

#include <optional>
#include <utility>

#include "sim/commands/lab/serve/access.h"
#include "sim/commands/lab/serve/server.h"

namespace gpusim::lab {

void serve(const ServeOptions& options, const std::function<void(const std::string& address)>& is_ready,
           const std::function<bool()>& is_over) {
  Server server(options.port);
  const Access access(server.port(), random_token());
  Site site({options.folder, options.language, options.student_of, options.wall_seconds}, server);
  is_ready(access.address());
  server.run(
      [&](const Request& request, const Respond& respond) {
        std::optional<Reply> refusal = access.refusal(request);
        refusal ? respond(std::move(*refusal)) : site.answer(request, access.place_of(request), respond);
      },
      is_over);
}

}  // namespace gpusim::lab
