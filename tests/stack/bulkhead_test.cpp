#include "support/virtual_time.hpp"

#include <geobreaker/stack/bulkhead.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace geobreaker {
namespace {

namespace asio = boost::asio;

asio::awaitable<void> stay(Bulkhead& bulkhead, test::VirtualTime& time, int who, std::vector<int>& entered,
                           int& inside, int& most) {
  const Bulkhead::Slot slot = co_await bulkhead.enter();
  entered.push_back(who);
  most = std::max(most, ++inside);
  co_await time.wait_until(time.steady_now() + std::chrono::milliseconds{10});
  --inside;
}

TEST(Bulkhead, LetsInSoManyAtOnceAndTheRestInTheirOrder) {
  asio::io_context context;
  test::VirtualTime time;
  Bulkhead bulkhead(3);
  std::vector<int> entered;
  int inside = 0, most = 0;
  for (int who = 0; who < 10; ++who)
    asio::co_spawn(context, stay(bulkhead, time, who, entered, inside, most), asio::detached);
  const SteadyTime start = time.steady_now();
  time.run(context, [&]() -> asio::awaitable<bool> {
    while (entered.size() < 10 || inside > 0)
      co_await time.wait_until(time.steady_now() + std::chrono::milliseconds{1});
    co_return true;
  }());
  EXPECT_EQ(entered, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(most, 3);
  EXPECT_EQ(bulkhead.waiting(), 0U);
  EXPECT_GE(time.steady_now() - start, std::chrono::milliseconds{40});  // ten stays of 10 ms, three at a time
}

}  // namespace
}  // namespace geobreaker
