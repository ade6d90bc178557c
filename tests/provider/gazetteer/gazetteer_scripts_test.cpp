#include "provider/gazetteer/lookup.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace geobreaker {
namespace {

using test::label_of;

using Case = std::pair<const char*, const char*>;

class Script : public testing::TestWithParam<Case> {};
TEST_P(Script, IsRead) { EXPECT_EQ(label_of(GetParam().first), GetParam().second); }

INSTANTIATE_TEST_SUITE_P(
    Addresses, Script,
    testing::Values(Case{"東京都千代田区永田町1-7-1", "Tokyo, Japan"},
                    Case{"大阪府吹田市千里万博公園", "Suita, Osaka, Japan"},
                    Case{"京都府京都市東山区清水1-294", "Kyoto, Japan"},
                    Case{"パリ", "Paris, Île-de-France, France"},
                    Case{"北京市东城区景山前街4号", "Beijing, China"},
                    Case{"廣東省廣州市", "Guangzhou, Guangdong, China"},
                    Case{"臺北市士林區至善路二段221號", "Taipei, Taiwan"},
                    Case{"서울특별시 중구 세종대로 110", "Seoul, South Korea"},
                    Case{"서울특별시중구세종대로110", "Seoul, South Korea"},
                    Case{"부산시", "Busan, South Korea"}, Case{"Москва, ул. Тверская, 13", "Moscow, Russia"},
                    Case{"Россия, 690091, Владивосток, Алеутская улица, 2", "Vladivostok, Primorye, Russia"},
                    Case{"г. Тверь, ул. Советская 4", "Tver, Tver Oblast, Russia"},
                    Case{"вул. Михайла Грушевського 5, Київ, 01008, Україна", "Kyiv, Kyiv City, Ukraine"},
                    Case{"Διονυσίου Αρεοπαγίτου 15, 117 42 Αθήνα, Ελλάδα", "Athens, Attica, Greece"},
                    Case{"ميدان التحرير، القاهرة، مصر", "Cairo, Egypt"},
                    Case{"میدان آزادی، تهران، ایران", "Tehran, Iran"},
                    Case{"שדרות קפלן 1, ירושלים, ישראל", "Jerusalem, Israel"},
                    Case{"ถนนหน้าพระลาน แขวงพระบรมมหาราชวัง กรุงเทพมหานคร 10200", "Bangkok, Thailand"},
                    Case{"नेताजी सुभाष मार्ग, दिल्ली, भारत", "Delhi, India"},
                    Case{"რუსთაველის გამზირი 8, თბილისი", "Tbilisi, Georgia"},
                    Case{"Մաշտոցի պողոտա 53, Երևան, Հայաստան", "Yerevan, Armenia"}));

}  // namespace
}  // namespace geobreaker
