#include <geobreaker/geocode/normalise.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace geobreaker {
namespace {

using testing::HasSubstr;

std::string normal(std::string_view text) {
  const auto result = normalise_text(text);
  EXPECT_TRUE(result) << (result ? "" : result.error().detail);
  return result ? result.value() : "";
}

TEST(NormaliseText, TrimsAndCollapsesGaps) {
  EXPECT_EQ(normal("  7\tMusterweg \r\n  Beispielstadt\n"), "7 Musterweg Beispielstadt");
  EXPECT_EQ(normal("a\xC2\xA0\xC2\xA0"
                   "b"),
            "a b")
      << "no-break space";
  EXPECT_EQ(normal("東京\xE3\x80\x80千代田"), "東京 千代田") << "ideographic space";
  EXPECT_EQ(normal(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(normal(" \t\r\n"), "");
  EXPECT_EQ(normal(""), "");
}

TEST(NormaliseText, ComposesToNfc) {
  EXPECT_EQ(normal("Zu\xCC\x88rich"), "Z\xC3\xBCrich");
  EXPECT_EQ(normal("\xE1\x84\x80\xE1\x85\xA1"), "\xEA\xB0\x80") << "Hangul";
}

TEST(NormaliseText, KeepsCaseScriptAndPunctuation) {
  for (const char* text : {"STRASSE Straße İstanbul", "# / & ; ? % + ' \"", "שדרות רוטשילד 1", "شارع", "ﬁ Ａ",
                           "👨‍👩‍👧 1",
                           "a\xE2\x80\x8F"
                           "b"}) {
    EXPECT_EQ(normal(text), text);
  }
}

TEST(NormaliseText, InvalidUtf8IsRefusedWithItsPlace) {
  for (const char* text : {"ab\xFF", "ab\xC3", "ab\xED\xA0\x80", "ab\xC0\xAF", "ab\xF4\x90\x80\x80"}) {
    const auto result = normalise_text(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().detail, HasSubstr("not valid UTF-8 at byte 3"));
  }
}

}  // namespace
}  // namespace geobreaker
