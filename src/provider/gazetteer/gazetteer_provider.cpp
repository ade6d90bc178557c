#include <geobreaker/provider/gazetteer_provider.hpp>

#include <cmath>
#include <string_view>
#include <utility>

namespace geobreaker {
namespace {

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n,;") == std::string_view::npos; }

ProviderReply refused(std::string detail) {
  ProviderReply reply;
  reply.outcome = Outcome::bad_request;
  reply.detail = std::move(detail);
  return reply;
}

ProviderReply reply_with(std::optional<GazetteerHit> hit, std::string_view otherwise) {
  ProviderReply reply;
  if (!hit) {
    reply.outcome = Outcome::no_match;
    reply.detail = otherwise;
    return reply;
  }
  reply.outcome = Outcome::ok;
  reply.answer = Answer{hit->at, std::move(hit->label), Precision::locality, hit->confidence,
                        std::move(hit->country_code)};
  return reply;
}

}  // namespace

GazetteerProvider::GazetteerProvider(Gazetteer gazetteer) noexcept : gazetteer_(std::move(gazetteer)) {}

ProviderReply GazetteerProvider::forward_now(const AddressQuery& query) const {
  if (blank(query.text) && blank(query.city)) return refused("the address is empty");
  return reply_with(gazetteer_.find(query), "no town named, or several equally likely");
}

ProviderReply GazetteerProvider::reverse_now(Coordinates at) const {
  const bool on_earth = std::abs(at.lat_deg) <= 90 && std::abs(at.lon_deg) <= 180;
  if (!on_earth) return refused("latitude must be within -90 and 90 degrees, longitude within -180 and 180");
  return reply_with(gazetteer_.nearest(at), "no place within 50 km");
}

boost::asio::awaitable<ProviderReply> GazetteerProvider::forward(const AddressQuery& query) {
  co_return forward_now(query);
}

boost::asio::awaitable<ProviderReply> GazetteerProvider::reverse(Coordinates at) {
  co_return reverse_now(at);
}

}  // namespace geobreaker
