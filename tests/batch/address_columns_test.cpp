#include "batch/address_columns.hpp"

#include "batch/csv_support.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace geobreaker {
namespace {

using ::testing::HasSubstr;
using testing::PieceSource;
using Names = std::vector<std::string>;

Names split(const std::string& header) {
  std::istringstream in(header);
  Names names;
  for (std::string name; std::getline(in, name, ';');) names.push_back(name);
  return names;
}

/// "name=role" of each chosen column in order, or the error.
std::string chosen(const Result<AddressColumns>& columns) {
  if (!columns) return "error: " + columns.error().detail;
  std::string text;
  for (const AddressColumn& column : columns->columns) {
    text += (text.empty() ? "" : "; ") + column.name + "=" + std::string(to_string(column.role));
  }
  return text;
}
std::string recognised(const std::string& header) { return chosen(recognise_address_columns(split(header))); }
std::string named(const std::string& header, const Names& wanted) {
  return chosen(name_address_columns(split(header), wanted));
}

struct Header {
  const char* header;
  const char* chosen;
};
void PrintTo(const Header& header, std::ostream* out) { *out << header.header; }

class RecognisedHeader : public ::testing::TestWithParam<Header> {};

TEST_P(RecognisedHeader, GivesTheColumnsAndTheirRoles) {
  EXPECT_EQ(recognised(GetParam().header), GetParam().chosen);
}

INSTANTIATE_TEST_SUITE_P(
    Languages, RecognisedHeader,
    ::testing::Values(
        Header{"id;street;unit;city;state;postcode;country;true_lat;true_lon",
               "street=street; unit=unit; city=city; state=state; postcode=postcode; country=country"},
        Header{"LON;LAT;NUMBER;STREET;UNIT;CITY;DISTRICT;REGION;POSTCODE;ID;HASH",
               "NUMBER=house number; STREET=street; UNIT=unit; DISTRICT=district; CITY=city; REGION=region; "
               "POSTCODE=postcode"},
        Header{"strasse;plz;ort", "strasse=street; plz=postcode; ort=city"},
        Header{
            "Name;Straße;Hausnummer;PLZ;Ort;Bundesland;Land",
            "Straße=street; Hausnummer=house number; PLZ=postcode; Ort=city; Bundesland=state; Land=country"},
        Header{"nom;Adresse;Code Postal;Ville;Téléphone",
               "Adresse=address; Code Postal=postcode; Ville=city"},
        Header{"numéro de voie;nom_de_voie;code_postal;nom_commune",
               "numéro de voie=house number; nom_de_voie=street; code_postal=postcode; nom_commune=city"},
        Header{"DIRECCION;Localidad;C.P.;Provincia;País",
               "DIRECCION=address; Localidad=city; C.P.=postcode; Provincia=state; País=country"},
        Header{"dirección", "dirección=address"},
        Header{"via;numero civico;cap;comune;provincia",
               "via=street; numero civico=house number; cap=postcode; comune=city; provincia=state"},
        Header{"Endereço;Código Postal;Cidade;Estado",
               "Endereço=address; Código Postal=postcode; Cidade=city; Estado=state"},
        Header{"straatnaam;huisnummer;postcode;woonplaats",
               "straatnaam=street; huisnummer=house number; postcode=postcode; woonplaats=city"},
        Header{"ulica;nr domu;kod pocztowy;miejscowość",
               "ulica=street; nr domu=house number; kod pocztowy=postcode; miejscowość=city"},
        Header{"Gatuadress;Postnummer;Postort", "Gatuadress=street; Postnummer=postcode; Postort=city"},
        Header{"vejnavn;husnr;postnr;by", "vejnavn=street; husnr=house number; postnr=postcode; by=city"},
        Header{"katuosoite;postinumero;postitoimipaikka",
               "katuosoite=street; postinumero=postcode; postitoimipaikka=city"},
        Header{"ulice;číslo popisné;PSČ;obec",
               "ulice=street; číslo popisné=house number; PSČ=postcode; obec=city"},
        Header{"ADRES;İLÇE;İL;POSTA KODU", "ADRES=address; İLÇE=district; İL=state; POSTA KODU=postcode"},
        Header{"Индекс;Город;Улица;Дом", "Улица=street; Дом=house number; Индекс=postcode; Город=city"},
        Header{"Διεύθυνση;Τ.Κ.;ΠΟΛΗ", "Διεύθυνση=address; Τ.Κ.=postcode; ΠΟΛΗ=city"},
        Header{"名称;郵便番号;都道府県;市区町村;住所",
               "郵便番号=postcode; 都道府県=state; 市区町村=city; 住所=address"},
        Header{"省份;城市;街道;门牌号;邮编",
               "省份=state; 城市=city; 街道=street; 门牌号=house number; 邮编=postcode"},
        Header{"이름;우편번호;주소", "우편번호=postcode; 주소=address"},
        Header{"الاسم;العنوان;المدينة;الرمز البريدي",
               "العنوان=address; المدينة=city; الرمز البريدي=postcode"},
        Header{"irányítószám;település;utca;házszám",
               "utca=street; házszám=house number; irányítószám=postcode; település=city"},
        Header{"Stradă;Număr;Oraș;Județ;Cod poștal",
               "Stradă=street; Număr=house number; Oraș=city; Județ=state; Cod poștal=postcode"}));

INSTANTIATE_TEST_SUITE_P(
    Rules, RecognisedHeader,
    ::testing::Values(
        // What only looks like an address is left alone.
        Header{"id;name;address;phone;email address;ip_address;notes;lat;lon;true_lat", "address=address"},
        Header{"id;address;expected_city;expected_postcode;region", "address=address"},
        Header{"number;address;city", "address=address; city=city"},
        Header{"no;street;city", "street=street; city=city"},
        Header{"number;street;city", "number=house number; street=street; city=city"},
        Header{"customer number;customer street;customer city", "customer street=street; customer city=city"},
        // A full address needs nothing else; a street beside a city beats "address".
        Header{"full_address;city;zip", "full_address=full address"},
        Header{"address;street;city", "street=street; city=city"},
        Header{"address;street", "address=address"},
        // Numbered lines are all used; of two names for one part the better known one.
        Header{"Address 1;Address 2;Town;Postcode",
               "Address 1=address; Address 2=address; Town=city; Postcode=postcode"},
        Header{"address2;address;city", "address2=address; address=address; city=city"},
        Header{"address_line_1;address_line_2;city",
               "address_line_1=address; address_line_2=address; city=city"},
        Header{"address;municipality;city;country code;country",
               "address=address; city=city; country=country"},
        Header{"address;city;county;state", "address=address; city=city; state=state"},
        Header{"address;city;county", "address=address; city=city; county=region"},
        // Order.
        Header{"country;state;city;zip;street",
               "street=street; city=city; state=state; zip=postcode; country=country"},
        Header{"house_number;street;city", "house_number=house number; street=street; city=city"},
        // Qualifiers.
        Header{"addr:street;addr:housenumber;addr:postcode;addr:city",
               "addr:street=street; addr:housenumber=house number; addr:postcode=postcode; addr:city=city"},
        Header{"billingStreet;billingCity;billingPostalCode",
               "billingStreet=street; billingCity=city; billingPostalCode=postcode"},
        Header{"ship_to_address;ship_to_city", "ship_to_address=address; ship_to_city=city"},
        Header{"store_address;city;zip", "store_address=address; city=city; zip=postcode"},
        Header{"address;city;billing_address;billing_city", "address=address; city=city"},
        Header{" CITY ;Post_Code", " CITY =city; Post_Code=postcode"},
        Header{"postcode", "postcode=postcode"}));

TEST(RecogniseAddressColumns, NothingFoundListsTheHeaderAndSaysWhatToDo) {
  EXPECT_EQ(recognised("id;name;lat"),
            "error: no address column was recognised among: id, name, lat. Name the column, or the columns "
            "in their "
            "order, with --address");
  EXPECT_THAT(recognised("id;country"), HasSubstr("no address column"));
  EXPECT_THAT(recognised("id;state;place"), HasSubstr("no address column"));
}

TEST(RecogniseAddressColumns, OfTwoAddressesNoneIsGuessed) {
  EXPECT_EQ(recognised("id;billing_address;billing_city;shipping_address;shipping_city"),
            "error: the header has more than one address (billing_address, billing_city, shipping_address, "
            "shipping_city). Name the columns of the one that is meant, in their order, with --address");
}

TEST(RecogniseAddressColumns, ANameUsedTwiceIsRefused) {
  EXPECT_EQ(recognised("street;city;notes;notes;city"),
            "error: columns 2 and 5 are both called \"city\". Name the one that is meant by its number: "
            "--address '#2'");
}

TEST(RecogniseAddressColumns, TheSentenceNamesWhatIsUsedAndWhatIsNot) {
  const auto columns = recognise_address_columns(split("id;address;region;postcode;state"));
  ASSERT_TRUE(columns);
  EXPECT_EQ(columns->sentence,
            "address columns: address, postcode, state (found by their names; not used: region)");
  EXPECT_EQ(columns->fingerprint(), "#2 address, #4 postcode, #5 state");
}

TEST(RecogniseAddressColumns, ALongHeaderIsShortenedInTheError) {
  Names header;
  for (int i = 0; i < 100; ++i) header.push_back("x" + std::to_string(i));
  EXPECT_THAT(chosen(recognise_address_columns(header)), HasSubstr("x39, and 60 more."));
}

TEST(NameAddressColumns, JoinsInTheOrderGiven) {
  EXPECT_EQ(named("id;city;where", {"where", "city"}), "where=other; city=city");
  EXPECT_EQ(named("id;city;where", {"WHERE"}), "where=other");
  EXPECT_EQ(named("id;Straße Nr.", {"strasse nr"}), "Straße Nr.=street");
  EXPECT_EQ(named("id;a;a", {"#3"}), "a=other");
  EXPECT_EQ(named("#2;b", {"#2"}), "#2=other");
  EXPECT_EQ(name_address_columns(split("id;where"), Names{"where"})->sentence,
            "address columns: where (as given by --address)");
}

TEST(NameAddressColumns, AnUnknownNameComesWithTheNearest) {
  EXPECT_EQ(named("id;street;city", {"stret"}),
            "error: --address \"stret\": the header has no such column; did you mean \"street\"? (it has: "
            "id, street, "
            "city; '#1' to '#3' name a column by its number)");
  EXPECT_THAT(named("id;city", {"#3"}), HasSubstr("no such column"));
  EXPECT_THAT(named("id;city", {"#0"}), HasSubstr("no such column"));
  EXPECT_THAT(named("id;city", {""}), HasSubstr("no such column"));
}

TEST(NameAddressColumns, AmbiguousOrRepeatedNamesAreRefused) {
  EXPECT_THAT(named("a;b;a", {"a"}), HasSubstr("columns 1 and 3 are both called \"a\""));
  EXPECT_THAT(named("Ab;aB", {"ab"}), HasSubstr("may be \"Ab\" or \"aB\""));
  EXPECT_THAT(named("a;b", {"a", "#1"}), HasSubstr("names the column \"a\" twice"));
}

AddressQuery query_of(const std::string& header, const std::string& row) {
  auto reader = CsvReader::open(std::make_unique<PieceSource>(header + "\n" + row + "\n", 1000));
  const auto columns = recognise_address_columns(header_names(**reader->next()));
  EXPECT_TRUE(columns);
  AddressQuery query;
  query.text = query.city = query.country = "left over";
  build_query(**reader->next(), *columns, query);
  return query;
}

TEST(BuildQuery, JoinsWhatIsThereAndFillsTheRoles) {
  const AddressQuery query = query_of("id,street,unit,city,state,postcode,country",
                                      "1,1745 T Street Southeast,,Washington,DC,20020,US");
  EXPECT_EQ(query.text, "1745 T Street Southeast, Washington, DC, 20020, US");
  EXPECT_EQ(query.street, "1745 T Street Southeast");
  EXPECT_EQ(query.city, "Washington");
  EXPECT_EQ(query.state, "DC");
  EXPECT_EQ(query.postcode, "20020");
  EXPECT_EQ(query.country, "US");
}

TEST(BuildQuery, TheHouseNumberStandsWhereTheFileHasIt) {
  EXPECT_EQ(query_of("strasse;hausnummer;ort", "Hauptstr.;12a;Bonn").text, "Hauptstr. 12a, Bonn");
  EXPECT_EQ(query_of("number,street,city", "10,Downing Street,London").text, "10 Downing Street, London");
  EXPECT_EQ(query_of("number,street,city", "10,Downing Street,London").street, "10 Downing Street");
  EXPECT_EQ(query_of("number,street,city", ",Downing Street,London").text, "Downing Street, London");
}

TEST(BuildQuery, AnAddressLineIsAStreetOnlyBesideACityOrPostcode) {
  EXPECT_EQ(query_of("address,city", "1 High St,Leeds").street, "1 High St");
  EXPECT_EQ(query_of("address,country", "\"1 High St, Leeds\",GB").street, "");
  EXPECT_EQ(query_of("address,country", "\"1 High St, Leeds\",GB").text, "1 High St, Leeds, GB");
}

TEST(BuildQuery, WhiteSpaceIsPutInOrder) {
  const AddressQuery query = query_of("street,city", "\"  1\r\n\tHigh \xC2\xA0 St \",\xC2\xA0 ");
  EXPECT_EQ(query.text, "1 High St");
  EXPECT_EQ(query.city, "");
}

TEST(BuildQuery, NothingOfTheRowBeforeIsLeft) {
  const AddressQuery query = query_of("street,city", ",");
  EXPECT_EQ(query.text, "");
  EXPECT_EQ(query.city, "");
  EXPECT_EQ(query.country, "");
}

TEST(BuildQuery, AShortRowLacksCellsAndALongOneHasOthers) {
  EXPECT_EQ(query_of("street,city", "1 High St").text, "1 High St");
  EXPECT_EQ(query_of("street,city", "1 High St,Leeds,more").text, "1 High St, Leeds");
}

}  // namespace
}  // namespace geobreaker
