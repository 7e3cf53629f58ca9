// A plugin in this process with a script between it and the coordinator.
#pragma once

#include "worker/channel.hpp"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

namespace benchctl::test {

/// What a channel answers to a call; `pass` gives the plugin's own answer.
using ChannelScript = std::function<nlohmann::json(Verb verb, const nlohmann::json& arguments,
                                                   const std::function<nlohmann::json()>& pass)>;

/// `make_script` makes a script for each channel.
class ScriptedFactory : public ChannelFactory {
 public:
  ScriptedFactory(const PluginHost& plugins, std::function<ChannelScript()> make_script)
      : local_(plugins), make_script_(std::move(make_script)) {}
  [[nodiscard]] std::unique_ptr<Channel> start(const std::vector<std::filesystem::path>& none) override {
    return std::make_unique<Scripted>(local_.start(none), make_script_());
  }

 private:
  class Scripted : public Channel {
   public:
    Scripted(std::unique_ptr<Channel> channel, ChannelScript script)
        : channel_(std::move(channel)), script_(std::move(script)) {}
    nlohmann::json call(Verb verb, const nlohmann::json& arguments,
                        std::chrono::duration<double> timeout) override {
      return script_(verb, arguments, [&] { return channel_->call(verb, arguments, timeout); });
    }

   private:
    std::unique_ptr<Channel> channel_;
    ChannelScript script_;
  };

  LocalChannelFactory local_;
  std::function<ChannelScript()> make_script_;
};

}  // namespace benchctl::test
