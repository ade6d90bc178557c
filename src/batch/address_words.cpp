#include "batch/address_words.hpp"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace geobreaker {
namespace {

/// Names for one role, best first, separated by commas. They are folded before they are compared.
struct WordList {
  AddressRole role;
  bool weak;
  const char* words;
};

// One line for each family of languages; where a word means different things in two languages it stands with
// the more careful meaning.
constexpr std::array word_lists = {
    WordList{
        AddressRole::full, false,
        "full address, complete address, formatted address, whole address, address full, one line address,"
        "vollständige adresse, vollstaendige adresse, gesamtadresse, adresse complète, dirección completa,"
        "indirizzo completo, endereço completo, morada completa, volledig adres, pełny adres, fullständig "
        "adress,"
        "fuld adresse, full adresse, koko osoite, úplná adresa, celá adresa, tam adres, açık adres, полный "
        "адрес,"
        "адрес полностью, повна адреса, πλήρης διεύθυνση, 完全住所, 完整地址, 详细地址, 詳細地址, 전체주소,"
        "العنوان الكامل, teljes cím, adresa completă"},
    WordList{
        AddressRole::address, false,
        "address, street address line, address line, adresse, adresszeile, anschrift, postanschrift,"
        "ligne adresse, adresse postale, dirección, domicilio, indirizzo, endereço, morada, adres, adress,"
        "postadress, postadresse, osoite, postiosoite, adresa, postal address, post address, адрес, адреса,"
        "διεύθυνση, 住所, 所在地, 地址, 주소, 도로명주소, 지번주소, عنوان, العنوان, cím, lakcím, addr"},
    WordList{
        AddressRole::street, false,
        "street, street name, street address, road, road name, thoroughfare, street line, street and number,"
        "strasse, straße, strassenname, straße und hausnummer, strasse hausnummer, straße hausnr, strasse nr,"
        "strasse und nr, str, rue, voie, nom voie, nom de voie, nom rue, nom de la voie, libelle voie,"
        "numéro et voie, calle, nombre de calle, nombre calle, calle y número, via, nome via, strada,"
        "via e numero, rua, logradouro, nome da rua, straat, straatnaam, gata, gatan, gatuadress, gatunamn,"
        "gade, vej, gadenavn, vejnavn, gate, gatenavn, gateadresse, veg, vei, veinavn, katu, katuosoite, "
        "lähiosoite,"
        "kadunnimi, ulica, nazwa ulicy, ul, ulice, název ulice, sokak, cadde, cadde sokak, sokak adı, улица, "
        "ул,"
        "улица и дом, вулиця, вул, οδός, οδός και αριθμός, 街道, 街道地址, 街路, 路, 路名, 町名番地, 도로명, "
        "거리,"
        "شارع, الشارع, اسم الشارع, utca, utca név, utca házszám, közterület, stradă, nume stradă"},
    WordList{
        AddressRole::house_number, false,
        "house number, house no, housenumber, street number, building number, street no, hausnummer, hausnr,"
        "haus nr, hsnr, hnr, numéro de rue, numéro de voie, numéro voie, num voie, no voie, número de casa,"
        "número exterior, num ext, numero civico, civico, n civico, número da porta, número de porta, "
        "huisnummer,"
        "huisnr, husnummer, husnr, talonumero, numer domu, nr domu, číslo popisné, číslo domu, číslo "
        "orientační,"
        "kapı no, bina no, дом, номер дома, будинок, номер будинку, αριθμός, 番地, 门牌号, 門牌號, 번지, "
        "건물번호,"
        "رقم المبنى, رقم المنزل, házszám"},
    WordList{AddressRole::house_number, true,
             "number, no, nr, num, numéro, número, numero, numer, číslo, номер, număr"},
    WordList{AddressRole::unit, true,
             "unit, unit number, unit no, apartment, apartment number, apt, apt number, apt no, suite, flat, "
             "flat number,"
             "wohnung, whg, appartement, appt, puerta, piso, apartamento, complemento, interno, toevoeging,"
             "huisnummertoevoeging, lägenhet, lägenhetsnummer, lejlighed, leilighet, asunto, mieszkanie, nr "
             "mieszkania,"
             "byt, daire, daire no, квартира, кв, διαμέρισμα, 部屋番号, 建物名, 室, 동호수, شقة, رقم الشقة, "
             "ajtó, apartament"},
    WordList{AddressRole::district, true,
             "district, suburb, neighborhood, neighbourhood, borough, quarter, ortsteil, stadtteil, "
             "stadtbezirk, quartier,"
             "arrondissement, barrio, colonia, distrito, quartiere, frazione, bairro, freguesia, wijk, "
             "buurt, stadsdel,"
             "bydel, kaupunginosa, dzielnica, městská část, ilçe, mahalle, semt, район, микрорайон, "
             "συνοικία, 区, 區, 町域,"
             "大字, 구, 동, 읍면동, حي, الحي, kerület, cartier"},
    WordList{AddressRole::city, false,
             "city, city name, town, town name, city town, town city, municipality, locality, post town, "
             "village, stadt,"
             "ort, wohnort, ortschaft, gemeinde, ville, nom ville, commune, nom commune, localité, ciudad, "
             "localidad,"
             "municipio, población, città, comune, località, cidade, município, localidade, concelho, stad, "
             "plaats,"
             "woonplaats, plaatsnaam, gemeente, postort, kommun, poststed, bynavn, kommune, kaupunki, kunta,"
             "postitoimipaikka, paikkakunta, miasto, miejscowość, gmina, město, obec, şehir, kent, город, "
             "населенный пункт,"
             "населённый пункт, місто, населений пункт, πόλη, δήμος, 市, 市区町村, 市町村, 都市, 城市, 市区, "
             "시, 도시, 시군구, مدينة,"
             "المدينة, város, település, oraș, localitate, municipiu"},
    WordList{AddressRole::city, true, "place, by, place name"},
    WordList{AddressRole::postcode, false,
             "postcode, post code, postal code, zip, zip code, zip5, postal, zip postal code, pin code, "
             "eircode, plz,"
             "postleitzahl, code postal, cp, code poste, código postal, codice postale, codice avviamento "
             "postale, cap,"
             "cep, código de endereçamento postal, postnummer, postnr, postinumero, kod pocztowy, psč, posta "
             "kodu, индекс,"
             "почтовый индекс, індекс, поштовий індекс, ταχυδρομικός κώδικας, ταχ κώδικας, τκ, 郵便番号, "
             "邮政编码, 邮编,"
             "郵遞區號, 郵政編碼, 우편번호, الرمز البريدي, رمز بريدي, irányítószám, irsz, cod poștal"},
    WordList{
        AddressRole::state, false,
        "state, state name, province, state province, state or province, prefecture, state code, province "
        "code,"
        "bundesland, kanton, canton, département, provincia, estado, comunidad autónoma, uf, provincie, län,"
        "fylke, maakunta, województwo, il, область, край, республика, νομός, 都道府県, 省, 省份, 州, 시도, "
        "광역시도, محافظة,"
        "المحافظة, ولاية, الولاية, megye, județ"},
    WordList{AddressRole::region, true,
             "county, county name, region, région, región, regione, região, landkreis, kreis, kraj, регион, "
             "регіон,"
             "περιφέρεια, منطقة, المنطقة, 지역, 地区"},
    WordList{AddressRole::country, false,
             "country, country name, nation, country code, land, staat, länderkennzeichen, pays, nom pays, "
             "code pays,"
             "país, paese, nazione, stato, código país, maa, państwo, země, stát, ülke, страна, країна, "
             "χώρα, 国, 国名, 国家,"
             "國家, 나라, 국가, بلد, البلد, دولة, الدولة, ország, țară, țara"},
};

constexpr std::string_view qualifiers =
    "customer, client, shipping, ship, ship to, delivery, deliver to, billing, bill, bill to, mailing, home, "
    "work, office,"
    "store, shop, branch, site, property, business, company, contact, patient, school, facility, venue, "
    "location,"
    "recipient, sender, origin, destination, from, to, pickup, kunde, kunden, liefer, lieferung, rechnung, "
    "firma,"
    "livraison, facturation, cliente, envío, entrega, fornecedor, klient, klant";

/// Letters that have no decomposition although they are read as a plain one.
char16_t plain_letter(UChar32 c) noexcept {
  switch (c) {
    case 0x00F8:
      return u'o';  // ø
    case 0x0142:
      return u'l';  // ł
    case 0x0111:
      return u'd';  // đ
    case 0x0131:
      return u'i';  // dotless ı
    default:
      return 0;
  }
}

void append_folded(icu::UnicodeString& out, UChar32 c) {
  if (u_charType(c) == U_NON_SPACING_MARK || !u_isalnum(c)) return;
  if (c == 0x00E6) {  // æ
    out.append(u"ae", 2);
  } else if (const char16_t plain = plain_letter(c); plain != 0) {
    out.append(plain);
  } else {
    out.append(c);
  }
}

std::string folded(const icu::UnicodeString& name) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* fold = icu::Normalizer2::getNFKCCasefoldInstance(error);
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFDInstance(error);
  if (U_FAILURE(error)) return {};  // ICU's own data are missing
  const icu::UnicodeString bare = decompose->normalize(fold->normalize(name, error), error);
  icu::UnicodeString kept;
  for (std::int32_t i = 0; i < bare.length(); i = bare.moveIndex32(i, 1))
    append_folded(kept, bare.char32At(i));
  std::string text;
  kept.toUTF8String(text);
  return text;
}

/// Han, Kana or Hangul.
bool is_large_first(std::string_view name) {
  const icu::UnicodeString text =
      icu::UnicodeString::fromUTF8({name.data(), static_cast<std::int32_t>(name.size())});
  return text.length() > 0 && text.char32At(0) >= 0x1100 &&
         u_getIntPropertyValue(text.char32At(0), UCHAR_GENERAL_CATEGORY) == U_OTHER_LETTER;
}

/// The items of a list whose separator is a comma.
std::vector<std::string_view> items(std::string_view list) {
  std::vector<std::string_view> all;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::size_t begin = std::min(list.find_first_not_of(' '), comma);
    all.push_back(list.substr(begin, comma - begin));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return all;
}

using Dictionary = std::unordered_map<std::string, AddressWord>;

Dictionary build_dictionary() {
  Dictionary dictionary;
  std::uint16_t rank = 0;
  for (const WordList& list : word_lists) {
    for (const std::string_view word : items(list.words)) {
      std::string name = folded_name(word);
      const AddressWord meaning{list.role, rank++, list.weak, name.size() <= 3, is_large_first(word)};
      dictionary.try_emplace(std::move(name), meaning);
    }
  }
  return dictionary;
}

}  // namespace

std::string_view to_string(AddressRole role) noexcept {
  switch (role) {
    case AddressRole::full:
      return "full address";
    case AddressRole::address:
      return "address";
    case AddressRole::street:
      return "street";
    case AddressRole::house_number:
      return "house number";
    case AddressRole::unit:
      return "unit";
    case AddressRole::district:
      return "district";
    case AddressRole::city:
      return "city";
    case AddressRole::postcode:
      return "postcode";
    case AddressRole::region:
      return "region";
    case AddressRole::state:
      return "state";
    case AddressRole::country:
      return "country";
    case AddressRole::other:
      break;
  }
  return "other";
}

std::string folded_name(std::string_view name) {
  return folded(icu::UnicodeString::fromUTF8({name.data(), static_cast<std::int32_t>(name.size())}));
}

std::vector<std::string> folded_words(std::string_view name) {
  const icu::UnicodeString text =
      icu::UnicodeString::fromUTF8({name.data(), static_cast<std::int32_t>(name.size())});
  std::vector<std::string> words;
  icu::UnicodeString word;
  const auto end_word = [&] {
    if (std::string done = folded(word); !done.empty()) words.push_back(std::move(done));
    word.remove();
  };
  UChar32 before = 0;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    const UChar32 c = text.char32At(i);
    const bool part = u_isalnum(c) || u_charType(c) == U_NON_SPACING_MARK;
    if (!part || (u_isupper(c) && u_islower(before))) end_word();
    if (part) word.append(c);
    before = c;
  }
  end_word();
  return words;
}

const AddressWord* find_address_word(std::string_view folded) {
  static const Dictionary dictionary = build_dictionary();
  const auto found = dictionary.find(std::string(folded));
  return found == dictionary.end() ? nullptr : &found->second;
}

bool qualifies_address(std::string_view folded) {
  static const std::unordered_set<std::string> words = [] {
    std::unordered_set<std::string> all;
    for (const std::string_view word : items(qualifiers)) all.insert(folded_name(word));
    return all;
  }();
  return words.contains(std::string(folded));
}

}  // namespace geobreaker
