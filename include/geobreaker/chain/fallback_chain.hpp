#pragma once

#include <geobreaker/geocode/answer.hpp>
#include <geobreaker/geocode/outcome.hpp>
#include <geobreaker/geocode/query.hpp>
#include <geobreaker/geocode/record.hpp>
#include <geobreaker/stack/call_stack.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace geobreaker {

/// One provider in the chain.
struct ChainLink {
  std::string name;
  CallStack* stack = nullptr;       ///< borrowed; must outlive the chain
  std::optional<Precision> accept;  ///< good enough from this provider; unset: the chain's wanted precision
};

struct ChainPolicy {
  OnSkip on_skip = OnSkip::wait;
  Micros max_wait{std::chrono::minutes{10}};  ///< a record waits no longer than this in all
  std::optional<Precision>
      accept;  ///< unset: street if some provider can give it, else the best that one can
};

/// Where one record stands at one provider.
struct LinkProgress {
  std::string_view word;  ///< its latest outcome or skip reason; empty: not come to yet
  bool settled = false;   ///< nothing more is to be had from it for this record
  bool answered = false;  ///< it replied, well or not found, in the latest walk
  int failed_rounds = 0;
};

/// Where one record stands in the chain; kept while it is parked. A new record starts with an empty one.
struct RecordProgress {
  std::vector<LinkProgress> links;  ///< in chain order
  std::optional<Answer> best;
  std::size_t best_link = 0;  ///< who gave it
  std::optional<SteadyTime> first_parked;
  bool called_out = false;  ///< a provider outside this process was called

  /// As for a new record; keeps the memory.
  void clear() noexcept;
};

/// The record waits: ask again at `until`, or as soon as `link` is known to answer again.
struct Parked {
  SteadyTime until{};
  SteadyTime give_up{};  ///< the end of the record's patience: then it is worth another walk in any case
  std::size_t link = 0;
  bool skipped = false;  ///< the link was not called (breaker, pause), as opposed to a call that failed
};

/// The record is done; its answer, if any, is RecordProgress::best.
struct Finished {
  RecordStatus status = RecordStatus::failed;
};

using ChainStep = std::variant<Finished, Parked>;

/// Walks a record through the providers in their order until an answer is good enough. Knows no breaker, only
/// what each call stack made of the record. Threads: one executor.
class FallbackChain {
 public:
  FallbackChain(std::vector<ChainLink> links, ChainPolicy policy, Clock& clock);

  /// One round over the providers that are not settled for this record.
  [[nodiscard]] boost::asio::awaitable<ChainStep> walk(const AddressQuery& query, RecordProgress& progress);

  [[nodiscard]] const std::vector<ChainLink>& links() const noexcept { return links_; }
  [[nodiscard]] Precision wanted() const noexcept { return wanted_; }
  /// Every provider tried or skipped, in order: "nominatim:breaker-open|gazetteer:ok".
  [[nodiscard]] std::string tried(const RecordProgress& progress) const;

 private:
  struct Round;
  [[nodiscard]] bool is_capable(std::size_t link) const noexcept;
  [[nodiscard]] Precision accept(std::size_t link) const noexcept;
  [[nodiscard]] boost::asio::awaitable<bool> ask(std::size_t link, const AddressQuery& query,
                                                 RecordProgress& progress, Round& round);
  void note_reply(std::size_t link, const ProviderReply& reply, RecordProgress& progress, Round& round);
  void note_skip(std::size_t link, const Skipped& skipped, RecordProgress& progress, Round& round);
  [[nodiscard]] bool keep_best(std::size_t link, const Answer& answer, RecordProgress& progress) const;
  [[nodiscard]] RecordStatus verdict(const RecordProgress& progress) const;

  std::vector<ChainLink> links_;
  ChainPolicy policy_;
  Clock& clock_;
  Precision wanted_;
};

}  // namespace geobreaker
