// `benchctl worker`: the process in which a plugin runs. Started by `run`, never by a person.
#include "cli/command.hpp"

namespace benchctl::cli {

void add_worker(CLI::App& app, Common& /*common*/) {
  CLI::App* command = app.add_subcommand("worker", "Internal: serves a coordinator on file descriptor 3");
  command->group("");  // hidden from --help
  auto libraries = std::make_shared<std::vector<std::string>>();
  command->add_option("library", *libraries, "Plugins to load")->type_name("LIBRARY");
  command->callback([libraries] {
    const PluginHost plugins = PluginHost::load_libraries({libraries->begin(), libraries->end()});
    WorkerSession session(plugins);
    serve(session, 3);
  });
}

}  // namespace benchctl::cli
