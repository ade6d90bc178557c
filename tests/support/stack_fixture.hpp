#pragma once

#include "support/scripted_provider.hpp"
#include "support/virtual_time.hpp"

#include <geobreaker/breaker.hpp>
#include <geobreaker/random.hpp>
#include <geobreaker/stack/call_stack.hpp>
#include <geobreaker/store/memory_store.hpp>

#include <boost/asio/io_context.hpp>

#include <string>
#include <utility>

namespace geobreaker::test {

/// What every layered test needs: virtual time, one memory store, a seeded random source.
struct World {
  boost::asio::io_context context;
  VirtualTime time;
  MemoryStore store{time};
  SeededRandom random{7};
};

/// One provider with all its layers around it.
struct Layered {
  Layered(World& world, std::string name, Precision best, ScriptedProvider::Script script,
          BreakerConfig config = {}, CallStackOptions options = {})
      : provider(best, world.time, world.time, std::move(script)),
        breaker(std::move(*Breaker::create(name, config, world.store, world.time, world.random))),
        stack(provider, breaker, world.time, world.time, world.random, std::move(options)) {}

  ScriptedProvider provider;
  Breaker breaker;
  CallStack stack;
};

inline AddressQuery query(std::string text) {
  AddressQuery made;
  made.text = std::move(text);
  return made;
}

}  // namespace geobreaker::test
