// `benchctl worker`: the process in which a plugin runs. Started by `run`, never by a person.
#include "cli/command.hpp"

namespace benchctl::cli {

void add_worker(CLI::App& app, Common& common) {
  CLI::App* command = app.add_subcommand("worker", "Internal: serves a coordinator on file descriptor 3");
  command->group("");  // hidden from --help
  command->callback([&common] {
    const PluginHost plugins = PluginHost::load(common.search_path());
    WorkerSession session(plugins);
    serve(session, 3);
  });
}

}  // namespace benchctl::cli
