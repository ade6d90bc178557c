// Words that tell what the text around them is. A town's name beside a street word is most likely a street's name.
export const Role = {
  streetAfter: 1, streetBefore: 2, connector: 4, direction: 8, generic: 16,
  quiet: 32,  // may stand beside a town's name without meaning anything
  genitive: 64,  // what follows belongs to the name before
};

/// Languages whose street words hint at the country: bit 7 + position in a word's mask, bit position in a country's.
export const hintLanguages = ["en", "fr", "it", "es", "pt", "ro", "de", "nl", "sv", "hu", "pl", "ru", "tr"];
const firstLanguageBit = 7;

const list = (text) => text.trim().split(/\s*[\n|]\s*/).filter(Boolean);

// The street words of one language that leave no doubt about it.
const telling = {
  en: "street | road | drive | lane | blvd | parkway | pkwy | highway | hwy | rd | crescent | avenue | boulevard | place | court | square",
  fr: "rue | route | avenue | boulevard | place | square | du | aux | général | président | impasse | chemin | allée | allées | quai | ruelle | sentier | faubourg | cité | lotissement | hameau | lieu dit | cours | rond point | venelle | clos | résidence",
  it: "via | viale | piazza | piazzale | corso | vicolo | largo | piazzetta",
  es: "calle | avenida | paseo | carrer | carretera | ctra | glorieta | travesía | carrera | cra | jirón | plaza",
  pt: "rua | avenida | travessa | praça | rodovia | ladeira | estrada | largo",
  ro: "strada | bulevardul | calea | piața | șoseaua | splaiul",
  de: "straße | strasse | platz | gasse | allee | weg | ufer | am | zum | zur",
  nl: "straat | laan | plein | gracht | kade | steenweg",
  sv: "gade | vej | plads | gata | gatan | vägen | torget | plass | gate",
  hu: "utca | tér | körút | rakpart",
  pl: "ulica | ul | aleja | aleje | plac | náměstí | ulice | třída | trg",
  ru: "улица | ул | проспект | переулок | площадь | набережная | вулиця | вул | площа",
  tr: "caddesi | sokak | bulvarı | mahallesi",
};

/// "Paris Street": the name comes before the word.
const streetAfter = list(`
street | st | str | avenue | ave | av | road | rd | drive | dr | lane | ln | boulevard | blvd | court | ct | place | pl | way
circle | cir | terrace | ter | trail | trl | parkway | pkwy | highway | hwy | square | sq | crescent | cres | close | mews | row | alley | plaza
expressway | expy | freeway | turnpike | pike | loop | path | walk | crossing | xing | bend | run | ridge road | gardens | grove | embankment
bridge | gate | wharf | quay | hill road | esplanade | promenade | mall | causeway | bypass | cove | pass | route | line | parade
strasse | straße | gasse | weg | platz | allee | ufer | ring | damm | chaussee | brücke | steig | stieg | graben | markt
straat | laan | plein | gracht | kade | dreef | singel | lei | steenweg
gade | vej | plads | torv | alle | allé | gata | gatan | vägen | vagen | gate | gaten | veien | plass | torg | torget | esplanaden
katu | tie | tori | aukio | puistikko | bulevardi | kuja
utca | u | út | ut | tér | ter | körút | krt | rakpart | sétány | útja | tere
ulica | ulice | ul | cesta | trg | třída | trida | náměstí | namesti | nám | námestie | nabrezi | nábřeží | trieda | put | sokak | sok | caddesi | cad | cd | sk | bulvarı | bulvari | meydanı | meydani | yolu
gatvė | gatve | g | prospektas | pr | alėja | aikštė | iela | bulvāris | laukums | tänav | puiestee | mnt | maantee | väljak
улица | ул | проспект | просп | пр | переулок | пер | площадь | пл | набережная | наб | бульвар | бул | шоссе | проезд | вулиця | вул | площа | провулок | вуліца | проспект | көшесі | даңғылы | гудамж | трг
οδός | οδος | λεωφόρος | λεωφ | πλατεία | πλ
փողոց | պողոտա | հրապարակ | ქუჩა | გამზირი | ქ | მოედანი
路 | 街 | 大道 | 大街 | 东路 | 西路 | 南路 | 北路 | 中路 | 东大街 | 西大街 | 东街 | 西街 | 南街 | 北街 | 一路 | 二路 | 三路 | 巷 | 弄 | 胡同 | 通 | 通り | 大通 | 大通り | 街道 | 大桥
로 | 길 | 대로
मार्ग | रोड | सड़क | पथ | street no | jalan | road no | marg | sarani | salai | soi | thanon
`);

/// "Rue de Lyon": the name comes after the word.
const streetBefore = list(`
rue | r | avenue | av | ave | boulevard | bd | bld | blvd | bvd | place | pl | plc | chemin | chem | che | route | rte | impasse | imp | allée | allées | all | quai | cours | square | sq | cité | ruelle | sentier | passage | pass | villa | rond point | esplanade | promenade | montée | traverse | faubourg | voie | venelle | lotissement | lot | hameau | résidence | residence | parvis | pont | mail | sente | clos | domaine | lieu dit | zone industrielle | za | zi | zac | côte | porte | rocade | rés | bâtiment | immeuble | galerie | chaussée
via | viale | vle | v le | piazza | pzza | p zza | p za | piazzale | corso | c so | largo | lungotevere | lungarno | vicolo | strada | salita | riva | fondamenta | campo | calle | contrada | galleria | borgo | piazzetta | galleria
calle | c | cl | cll | avenida | avda | av | paseo | pº | plaza | pza | pl | carrer | carretera | ctra | camino | ronda | rambla | travesía | glorieta | passeig | plaça | cuesta | calzada | callejón | jirón | jr | carrera | cra | kr | diagonal | boulevard | autopista | prolongación | malecón | cerrada | privada | alameda | rúa | praza | kalea
rua | r | avenida | travessa | tv | praça | pc | largo | estrada | est | alameda | rodovia | rod | ladeira | calçada | beco | cais | campo | terreiro
strada | str | bulevardul | bd | b dul | calea | piața | piata | p ta | șoseaua | soseaua | aleea | splaiul | intrarea
ulica | ul | aleja | aleje | al | plac | pl | rynek | osiedle | os | trg | nám | náměstí | ulice | námestie | třída | nábřeží | bulevar | obala | riva
улица | ул | проспект | просп | пр кт | пр т | пр | переулок | пер | площадь | пл | набережная | наб | бульвар | бул | шоссе | ш | проезд | вулиця | вул | площа | провулок | вуліца | праспект | бул | плоштад | трг
οδός | οδος | λεωφόρος | λεωφ | πλατεία | πλ | λεωφορος
straße des | strasse der | platz der | platz des | platz | straße | strasse | allee der | ufer | am | an der | unter den | auf der | in der | zum | zur
jalan | jl | jln | lorong | lebuh | gang | persiaran | thanon | soi | đường | phố | duong | pho | ngõ | quảng trường
شارع | ش | طريق | ميدان | ساحة | نهج | زنقة | خیابان | بلوار | میدان | کوچه | جادة | دوار | جسر
רחוב | רח | שדרות | שד | דרך | כיכר | סמטת
ถนน | ซอย | ถ | ซ | สะพาน
highway | hwy | state route | us route | county road | route | avenue of | interstate | farm to market
mahallesi | quartier | triq | sqaq | misraħ | bulevardi | rruga | sheshi | sraid | plass | place | laan van | plein van
`);

const connectors = list(`
de | du | des | la | le | les | l | d | of | the | der | die | das | dem | den | del | della | delle | dello | dei | degli | di | da | do | dos | das | las | los | el | van | von | vom | zu | zum | zur | y | et | und | e | i | a | à | aux | au | af | av | na | w | we | sur | en
general | général | gen | president | président | docteur | dr | doctor | saint | sainte | san | santa | são | st | ste | colonel | maréchal | professeur | abbé | capitaine | commandant
`);

const genitives = list(`
de | du | d | des | of | von | vom | di | del | della | delle | dello | dei | degli | da | do | dos | das | der | des
`);

const quiet = list(`cedex | bis | ter | г | гор | город | м | місто | град | stadt | gemeinde | kommune | comuna | municipio | obec | by | cidade | ciudad | مدينة | 市 | city of`);

const directions = list(`
north | south | east | west | n | s | e | w | ne | nw | se | sw | northeast | northwest | southeast | southwest | upper | lower | old | new | nord | sud | est | ouest | norte | sur | este | oeste | süd | ost | nordost
`);

/// Words of addresses and of buildings' names which are also some village's name.
const generic = list(`
hall | city hall | town hall | town | city | station | park | house | home | building | bldg | box | po | po box | p o box | postfach | bp | boite postale | apartado | centre | center | central | museum | museo | musée | palace | castle | church | cathedral | university | universitet | college | school | hospital | airport | tower | main | market | mill | bridge | library | post | office | the | of | and | apt | apartment | suite | ste | unit | floor | fl | room | rm | level | block | lot | no | number | nr | num | rural | point | bar | beach | island | lake | river | spring | springs | forest | field | garden | union | plaza | mount | mt | fort | port | bay | valley | view | village | villa | ville | hotel | hill | church | cross | street | road | corner | green | park | national | international | royal | palais | palacio | palazzo | schloss | rathaus | bahnhof | hauptbahnhof | bhf | hôtel de ville | mairie | gare | opera | opéra | théâtre | teatro | stade | stadium | estadio | estación | universidad | universidade | universität | parlament | parliament | parlement | ministry | ministère | ministerio | embassy | bank | banco | centro | castello | castel | duomo | casa | torre | puerto | puerta | mercado | catedral | iglesia | barrio | colonia | col | bairro | district | region | county | province | area | dom | burg | turm | haus | kirche | tor | mitte | zentrum | cedex | bis | ter | quater | km | dept | attn | test | unknown | none | null | na | street address | address | city name | same | as | above | tel | fax | phone | email | www | http | com
мост | дом | д | корп | стр | кв | город | г | область | обл | район | р н | край | республика | офис | музей | театр | вокзал | собор | буд | місто | м | обласне | гр | ж к
市 | 区 | 町 | 村 | 县 | 省 | 州 | 府 | 都 | 大学 | 中心 | 公园 | 车站 | 博物馆 | 美术馆 | 市役所 | 番地 | 丁目 | 号 | 楼 | 室 | 层 | 栋 | 本町 | 中央
시 | 군 | 구 | 도 | 동 | 면 | 읍 | 리 | 시청
ถ | เขต | แขวง | ตำบล | อำเภอ | จังหวัด
`);

/// Word -> mask of roles.
export function wordRoles() {
  const roles = new Map();
  for (const [role, words] of [
    [Role.streetAfter, streetAfter], [Role.streetBefore, streetBefore], [Role.connector, connectors],
    [Role.direction, directions], [Role.generic, generic], [Role.quiet, quiet], [Role.genitive, genitives],
  ]) {
    for (const word of words) roles.set(word, (roles.get(word) ?? 0) | role);
  }
  hintLanguages.forEach((language, i) => {
    for (const word of list(telling[language])) roles.set(word, (roles.get(word) ?? 0) | (1 << (firstLanguageBit + i)));
  });
  return roles;
}

/// Mask of hintLanguages for a list of language codes.
export function languageMask(languages) {
  const kin = { ca: "es", gl: "es", da: "sv", nb: "sv", nn: "sv", no: "sv", cs: "pl", sk: "pl", sl: "pl", hr: "pl", bs: "pl", uk: "ru", be: "ru",
    bg: "ru", kk: "ru", ky: "ru", lb: "de", fy: "nl", pt_BR: "pt", de_AT: "de" };
  return languages.reduce((mask, l) => mask | (1 << hintLanguages.indexOf(kin[l] ?? l)) * (hintLanguages.includes(kin[l] ?? l) ? 1 : 0), 0);
}
