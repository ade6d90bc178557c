#include <geobreaker/provider/gazetteer_provider.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <exception>
#include <utility>

namespace geobreaker {
namespace {

ProviderReply run(boost::asio::awaitable<ProviderReply> call) {
  boost::asio::io_context loop;
  ProviderReply reply;
  boost::asio::co_spawn(loop, std::move(call), [&](std::exception_ptr fault, ProviderReply got) {
    EXPECT_FALSE(fault);
    reply = std::move(got);
  });
  loop.run();
  return reply;
}

ProviderReply forward(const std::string& text) {
  GazetteerProvider provider;
  AddressQuery query;
  query.text = text;
  return run(provider.forward(query));
}

TEST(GazetteerProvider, SaysLocalityAndNeverMore) {
  const auto reply = forward("1745 T Street Southeast, Washington, DC 20020, US");
  ASSERT_EQ(reply.outcome, Outcome::ok);
  ASSERT_TRUE(reply.answer);
  EXPECT_EQ(reply.answer->precision, Precision::locality);
  EXPECT_EQ(reply.answer->label, "Washington, District of Columbia, United States");
  EXPECT_EQ(reply.answer->country_code, "us");
  ASSERT_TRUE(reply.answer->confidence);
  EXPECT_GT(*reply.answer->confidence, 0.8);
  EXPECT_FALSE(reply.pause);
}

TEST(GazetteerProvider, AnswersInProcessAndGivesTownsAtBest) {
  const GazetteerProvider provider;
  EXPECT_EQ(provider.traits().best, Precision::locality);
  EXPECT_TRUE(provider.traits().in_process);
}

TEST(GazetteerProvider, TellsNothingFoundFromNothingAsked) {
  EXPECT_EQ(forward("asdf qwerty").outcome, Outcome::no_match);
  EXPECT_FALSE(forward("asdf qwerty").answer);
  EXPECT_EQ(forward("").outcome, Outcome::bad_request);
  EXPECT_EQ(forward(" \t\n, ").outcome, Outcome::bad_request);
}

TEST(GazetteerProvider, ReversesToTheNearestTown) {
  GazetteerProvider provider;
  const auto reply = run(provider.reverse({43.6044, 1.4437}));
  ASSERT_EQ(reply.outcome, Outcome::ok);
  EXPECT_EQ(reply.answer->label, "Toulouse, Occitanie, France");
  EXPECT_EQ(reply.answer->precision, Precision::locality);
  EXPECT_EQ(run(provider.reverse({0, 0})).outcome, Outcome::no_match);
  EXPECT_EQ(run(provider.reverse({91, 0})).outcome, Outcome::bad_request);
}

}  // namespace
}  // namespace geobreaker
