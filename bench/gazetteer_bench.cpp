#include <geobreaker/provider/gazetteer.hpp>

#include <benchmark/benchmark.h>

#include <array>
#include <string>

namespace {

using geobreaker::AddressQuery;
using geobreaker::Gazetteer;

const std::array<const char*, 8> addresses_us{
    "1745 T Street Southeast, Washington, DC, 20020, US", "6007 Applegate Lane, Louisville, KY, 40219, US",
    "560 Penstock Drive, Grass Valley, CA, 95945, US",    "150 Carter Street, Manchester, CT, 06040, US",
    "347 Britannia Drive, Vallejo, CA, 94591, US",        "97 Lincoln Street, Fitchburg, MA, 01420, US",
    "9428 North 65th Drive, Glendale, AZ, 85302, US",     "388 East Main Street, VT, 05753, US"};
const std::array<const char*, 6> addresses_world{"東京都千代田区永田町1-7-1",
                                                 "12 Rue de Lyon, 75012 Paris, France",
                                                 "Россия, 690091, Владивосток, Алеутская улица, 2",
                                                 "ميدان التحرير، القاهرة، مصر",
                                                 "서울특별시 중구 세종대로 110",
                                                 "Calle de Ruiz de Alarcón 23, 28014 Madrid, España"};

template <std::size_t N>
void find_all(benchmark::State& state, const std::array<const char*, N>& addresses) {
  std::array<AddressQuery, N> queries;
  for (std::size_t i = 0; i < N; ++i) queries[i].text = addresses[i];
  const Gazetteer& gazetteer = Gazetteer::embedded();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(gazetteer.find(queries[i++ % N]));
  state.SetItemsProcessed(state.iterations());
}

void find_in_one_cell(benchmark::State& state) { find_all(state, addresses_us); }
void find_of_many_scripts(benchmark::State& state) { find_all(state, addresses_world); }

void find_by_columns(benchmark::State& state) {
  AddressQuery query;
  query.text = "6007 Applegate Lane, Louisville, KY, 40219, US";
  query.street = "6007 Applegate Lane";
  query.city = "Louisville";
  query.state = "KY";
  query.postcode = "40219";
  query.country = "US";
  const Gazetteer& gazetteer = Gazetteer::embedded();
  for (auto _ : state) benchmark::DoNotOptimize(gazetteer.find(query));
  state.SetItemsProcessed(state.iterations());
}

void nearest(benchmark::State& state) {
  const Gazetteer& gazetteer = Gazetteer::embedded();
  double shift = 0;
  for (auto _ : state) {
    shift = shift < 5 ? shift + 0.01 : 0;
    benchmark::DoNotOptimize(gazetteer.nearest({45 + shift, 5 + shift}));
  }
  state.SetItemsProcessed(state.iterations());
}

void open_data(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Gazetteer(Gazetteer::embedded()).places());
}

BENCHMARK(find_in_one_cell);
BENCHMARK(find_by_columns);
BENCHMARK(find_of_many_scripts);
BENCHMARK(nearest);
BENCHMARK(open_data);

}  // namespace
