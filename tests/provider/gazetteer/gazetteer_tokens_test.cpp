#include "provider/gazetteer/names.hpp"
#include "provider/gazetteer/tokens.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace geobreaker::gazetteer {
namespace {

const DataFile& data() {
  static const DataFile file = open_data_file(embedded_bytes()).value();
  return file;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> hashes(std::string_view text) {
  TokenList tokens;
  tokens.append(data(), text, Field::text);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (std::size_t i = 0; i < tokens.size(); ++i) out.emplace_back(tokens[i].a, tokens[i].b);
  return out;
}

TokenList tokens_of(std::string_view text) {
  TokenList tokens;
  tokens.append(data(), text, Field::text);
  return tokens;
}

using Pair = std::pair<const char*, const char*>;
class SameTokens : public testing::TestWithParam<Pair> {};

TEST_P(SameTokens, FoldToTheSame) { EXPECT_EQ(hashes(GetParam().first), hashes(GetParam().second)); }

INSTANTIATE_TEST_SUITE_P(
    Folding, SameTokens,
    testing::Values(Pair{"PARIS", "paris"}, Pair{"São Paulo", "SAO PAULO"}, Pair{"Straße", "STRASSE"},
                    Pair{"Łódź", "lodz"}, Pair{"Đà Nẵng", "da nang"}, Pair{"İstanbul", "istanbul"},
                    Pair{"L’Haÿ-les-Roses", "l'hay les roses"}, Pair{"Œuf", "oeuf"},
                    Pair{"Ｔｏｋｙｏ １２", "tokyo 12"}, Pair{"Αθήνα", "ΑΘΗΝΑ"}, Pair{"Ἀθῆναι", "αθηναι"},
                    Pair{"Королёв", "КОРОЛЕВ"}, Pair{"臺北", "台北"}, Pair{"東京", "东京"},
                    Pair{"الإسكندرية", "الاسكندريه"}, Pair{"القَاهِرَة", "القاهرة"}, Pair{"Երևան", "Երեվան"},
                    Pair{"ﾄｳｷｮｳ", "トウキョウ"}, Pair{"ｶﾞｷﾞ", "ガギ"}, Pair{"か\u3099", "が"},
                    Pair{"e\u0301cole", "école"}, Pair{"\u1112\u1161\u11ab", "한"}, Pair{"١٢٣", "123"}));

TEST(Tokens, DistinguishWhatIsNotTheSame) {
  EXPECT_NE(hashes("か"), hashes("が"));
  EXPECT_NE(hashes("New York"), hashes("NewYork"));
  EXPECT_NE(hashes("大阪"), hashes("大津"));
}

TEST(Tokens, CutWordsAtSpacesAndCharactersInScriptsWithout) {
  EXPECT_EQ(hashes("Rue Saint-Denis").size(), 3U);
  EXPECT_EQ(hashes("東京都千代田区").size(), 7U);
  EXPECT_EQ(hashes("永田町1-7-1").size(), 6U);
}

TEST(Tokens, EndSegmentsAtCommasOfAllScripts) {
  EXPECT_EQ(tokens_of("a, b; c\nd، e、f").segments(), 6U);
  EXPECT_EQ(tokens_of(",,a,,b,,").segments(), 2U);
}

TEST(Tokens, TellNumbersCapitalsAndHyphens) {
  const TokenList tokens = tokens_of("Argelès-sur-Mer, TX 75001");
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_FALSE(tokens[0].hyphened);
  EXPECT_TRUE(tokens[1].hyphened);
  EXPECT_TRUE(tokens[3].upper);
  EXPECT_FALSE(tokens[0].upper);
  EXPECT_TRUE(tokens[4].numeric());
  EXPECT_EQ(tokens[4].digits, 5);
  EXPECT_EQ(tokens[4].number, 75);
}

TEST(Tokens, MarkWhereKoreanWordsBeginAndEnd) {
  const TokenList tokens = tokens_of("서울시 중구");
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_FALSE(tokens[0].inside_word);
  EXPECT_TRUE(tokens[1].inside_word);
  EXPECT_TRUE(tokens[1].word_goes_on);
  EXPECT_FALSE(tokens[2].word_goes_on);
  EXPECT_FALSE(tokens[3].inside_word);
}

TEST(Tokens, TakeBrokenUtf8AsSeparators) {
  EXPECT_EQ(hashes("Pa\xffris").size(), 2U);
  EXPECT_EQ(hashes("Paris\xe2\x82"), hashes("Paris"));
  EXPECT_EQ(hashes("\xc0\xaf\xed\xa0\x80\xf8").size(), 0U);
}

TEST(Tokens, StopAtTheirCapacity) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "wort, 東京 ";
  EXPECT_EQ(tokens_of(text).size(), TokenList::capacity);
}

TEST(Names, AreFoundByWhatTheBuilderHashed) {
  NameHash hash;
  const TokenList tokens = tokens_of("Sankt Pölten");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    hash = extended(hash, tokens[i]);
    EXPECT_TRUE(may_begin_name(data(), hash));
  }
  const Posting* posting = meanings_of(data(), hash);
  ASSERT_NE(posting, nullptr);
  EXPECT_EQ(posting->kind(), Posting::Kind::place);
  EXPECT_EQ(data().text(data().places[posting->ref()].name), "Sankt Pölten");
}

}  // namespace
}  // namespace geobreaker::gazetteer
