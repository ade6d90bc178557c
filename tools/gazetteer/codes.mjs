// Codes and everyday names that GeoNames' own tables lack. Facts, written by hand.
const pairs = (text) => text.trim().split(/\s+/).map((pair) => pair.split("="));

/// ISO 3166-1 alpha-2 = alpha-3.
export const iso3 = new Map(pairs(`
AD=AND AE=ARE AF=AFG AG=ATG AI=AIA AL=ALB AM=ARM AO=AGO AQ=ATA AR=ARG AS=ASM AT=AUT AU=AUS AW=ABW AX=ALA AZ=AZE
BA=BIH BB=BRB BD=BGD BE=BEL BF=BFA BG=BGR BH=BHR BI=BDI BJ=BEN BL=BLM BM=BMU BN=BRN BO=BOL BQ=BES BR=BRA BS=BHS
BT=BTN BW=BWA BY=BLR BZ=BLZ CA=CAN CC=CCK CD=COD CF=CAF CG=COG CH=CHE CI=CIV CK=COK CL=CHL CM=CMR CN=CHN CO=COL
CR=CRI CU=CUB CV=CPV CW=CUW CX=CXR CY=CYP CZ=CZE DE=DEU DJ=DJI DK=DNK DM=DMA DO=DOM DZ=DZA EC=ECU EE=EST EG=EGY
EH=ESH ER=ERI ES=ESP ET=ETH FI=FIN FJ=FJI FK=FLK FM=FSM FO=FRO FR=FRA GA=GAB GB=GBR GD=GRD GE=GEO GF=GUF GG=GGY
GH=GHA GI=GIB GL=GRL GM=GMB GN=GIN GP=GLP GQ=GNQ GR=GRC GS=SGS GT=GTM GU=GUM GW=GNB GY=GUY HK=HKG HN=HND HR=HRV
HT=HTI HU=HUN ID=IDN IE=IRL IL=ISR IM=IMN IN=IND IO=IOT IQ=IRQ IR=IRN IS=ISL IT=ITA JE=JEY JM=JAM JO=JOR JP=JPN
KE=KEN KG=KGZ KH=KHM KI=KIR KM=COM KN=KNA KP=PRK KR=KOR KW=KWT KY=CYM KZ=KAZ LA=LAO LB=LBN LC=LCA LI=LIE LK=LKA
LR=LBR LS=LSO LT=LTU LU=LUX LV=LVA LY=LBY MA=MAR MC=MCO MD=MDA ME=MNE MF=MAF MG=MDG MH=MHL MK=MKD ML=MLI MM=MMR
MN=MNG MO=MAC MP=MNP MQ=MTQ MR=MRT MS=MSR MT=MLT MU=MUS MV=MDV MW=MWI MX=MEX MY=MYS MZ=MOZ NA=NAM NC=NCL NE=NER
NF=NFK NG=NGA NI=NIC NL=NLD NO=NOR NP=NPL NR=NRU NU=NIU NZ=NZL OM=OMN PA=PAN PE=PER PF=PYF PG=PNG PH=PHL PK=PAK
PL=POL PM=SPM PN=PCN PR=PRI PS=PSE PT=PRT PW=PLW PY=PRY QA=QAT RE=REU RO=ROU RS=SRB RU=RUS RW=RWA SA=SAU SB=SLB
SC=SYC SD=SDN SE=SWE SG=SGP SH=SHN SI=SVN SJ=SJM SK=SVK SL=SLE SM=SMR SN=SEN SO=SOM SR=SUR SS=SSD ST=STP SV=SLV
SX=SXM SY=SYR SZ=SWZ TC=TCA TD=TCD TF=ATF TG=TGO TH=THA TJ=TJK TK=TKL TL=TLS TM=TKM TN=TUN TO=TON TR=TUR TT=TTO
TV=TUV TW=TWN TZ=TZA UA=UKR UG=UGA UM=UMI US=USA UY=URY UZ=UZB VA=VAT VC=VCT VE=VEN VG=VGB VI=VIR VN=VNM VU=VUT
WF=WLF WS=WSM XK=XKX YE=YEM YT=MYT ZA=ZAF ZM=ZMB ZW=ZWE`));

/// Names people write that are not in the catalogues, or that label a country better than its entry there.
export const countryLabels = new Map(Object.entries({
  US: "United States", KR: "South Korea", HK: "Hong Kong", MO: "Macao", LT: "Lithuania", MD: "Moldova", MC: "Monaco",
  JO: "Jordan", GM: "Gambia", CG: "Republic of the Congo", CD: "Democratic Republic of the Congo", CZ: "Czechia",
}));
export const countryAliases = new Map(Object.entries({
  US: ["U.S.A.", "U.S.", "United States", "America", "Estados Unidos", "EE. UU.", "EEUU", "Vereinigte Staaten", "États-Unis", "США"],
  GB: ["UK", "U.K.", "Great Britain", "Britain", "G.B.", "Reino Unido", "Royaume-Uni", "Vereinigtes Königreich"],
  AE: ["UAE", "U.A.E."], CZ: ["Czechia", "Czech Republic", "Česko"], NL: ["The Netherlands", "Holland", "Nederland"],
  DE: ["Deutschland", "BRD"], CI: ["Côte d'Ivoire", "Ivory Coast"], KR: ["South Korea", "Korea", "Republic of Korea", "대한민국", "한국"],
  CN: ["P.R. China", "PR China", "PRC", "People's Republic of China", "中国", "中华人民共和国"], TW: ["Taiwan", "臺灣", "台灣", "Taiwan R.O.C."],
  JP: ["Nippon", "日本国"], RU: ["Russian Federation", "Российская Федерация", "Россия"], MK: ["Macedonia", "Северна Македонија"],
  VN: ["Viet Nam", "Việt Nam"], TR: ["Türkiye", "Turkiye"], SZ: ["Swaziland"], MM: ["Burma"], CV: ["Cape Verde"],
  TZ: ["Tanzania, United Republic of", "United Republic of Tanzania"], IR: ["Islamic Republic of Iran"], TL: ["East Timor"],
  CD: ["Democratic Republic of the Congo", "DRC"], CG: ["Congo", "Republic of the Congo"], HK: ["Hong Kong", "Hong Kong SAR", "香港"],
  MO: ["Macau", "Macao"], IE: ["Republic of Ireland", "Éire"], LT: ["Lithuania"], MD: ["Moldova"], MC: ["Monaco"], JO: ["Jordan"],
  GM: ["Gambia"], SY: ["Syrian Arab Republic"], LA: ["Lao PDR"], BY: ["Belarus"], PS: ["Palestinian Territories", "Palestine"],
  VA: ["Holy See", "Città del Vaticano"], GE: ["საქართველო"], AM: ["Հայաստան"], IL: ["ישראל"], IN: ["Bharat", "भारत"],
  SA: ["KSA"], BA: ["Bosnia", "BiH", "Bosna i Hercegovina"], CH: ["Schweiz", "Suisse", "Svizzera", "Confoederatio Helvetica"],
  AT: ["Österreich", "Oesterreich"], ZA: ["RSA"], NZ: ["Aotearoa"], SK: ["Slovak Republic"], GR: ["Hellas", "Ελλάδα", "Ελλάς"],
}));

/// Territories that are also addressed as part of another country.
export const parents = new Map(pairs(`
PR=US GU=US VI=US AS=US MP=US UM=US GP=FR MQ=FR GF=FR RE=FR YT=FR PM=FR BL=FR MF=FR NC=FR PF=FR WF=FR
JE=GB GG=GB IM=GB GI=GB HK=CN MO=CN AX=FI FO=DK GL=DK SJ=NO AW=NL CW=NL SX=NL BQ=NL XK=RS EH=MA`));

/// Postal and ISO 3166-2 codes of first-level divisions where GeoNames numbers them otherwise.
export const admin1Codes = new Map(pairs(`
CA.AB=CA.01 CA.BC=CA.02 CA.MB=CA.03 CA.NB=CA.04 CA.NL=CA.05 CA.NS=CA.07 CA.ON=CA.08 CA.PE=CA.09 CA.QC=CA.10 CA.PQ=CA.10
CA.SK=CA.11 CA.YT=CA.12 CA.NT=CA.13 CA.NU=CA.14 AU.ACT=AU.01 AU.NSW=AU.02 AU.NT=AU.03 AU.QLD=AU.04 AU.SA=AU.05
AU.TAS=AU.06 AU.VIC=AU.07 AU.WA=AU.08 BR.AC=BR.01 BR.AL=BR.02 BR.AP=BR.03 BR.AM=BR.04 BR.BA=BR.05 BR.CE=BR.06
BR.DF=BR.07 BR.ES=BR.08 BR.MS=BR.11 BR.MA=BR.13 BR.MT=BR.14 BR.MG=BR.15 BR.PA=BR.16 BR.PB=BR.17 BR.PR=BR.18 BR.PI=BR.20
BR.RJ=BR.21 BR.RN=BR.22 BR.RS=BR.23 BR.RO=BR.24 BR.RR=BR.25 BR.SC=BR.26 BR.SP=BR.27 BR.SE=BR.28 BR.GO=BR.29 BR.PE=BR.30
BR.TO=BR.31 MX.CDMX=MX.09 MX.DF=MX.09 MX.JAL=MX.14 MX.NL=MX.19 MX.PUE=MX.21 MX.QRO=MX.22 MX.YUC=MX.31 MX.GTO=MX.11
MX.BC=MX.02 MX.BCS=MX.03 MX.CHIH=MX.06 MX.COAH=MX.07 MX.SLP=MX.24 MX.SON=MX.26 MX.VER=MX.30 MX.OAX=MX.20 MX.MICH=MX.16
DE.NRW=DE.07 GB.NI=GB.NIR IN.MH=IN.16 IN.DL=IN.07 IN.KA=IN.19 IN.TN=IN.25 IN.WB=IN.28 IN.UP=IN.36 IN.RJ=IN.24
IN.GJ=IN.09 IN.KL=IN.13 IN.TS=IN.40 IN.HR=IN.10 IN.PB=IN.23`));

/// Countries whose divisions carry the very codes that people write after a town.
export const postalAdmin1 = new Set(["US", "CH"]);
export const postalAdmin2 = new Set(["IT"]);

/// Number of digits of a numeric postcode, without its separators; 0: letters are in it.
export const postcodeDigits = new Map(pairs(`
US=5 DE=5 FR=5 ES=5 IT=5 MX=5 FI=5 EE=5 TR=5 UA=5 TH=5 ID=5 MY=5 GR=5 SE=5 CZ=5 SK=5 HR=5 RS=5 LT=5 MA=5 DZ=5 EG=5 SA=5
KR=5 BA=5 ME=5 CR=5 CU=5 DO=5 GT=5 KW=5 JO=5 IQ=5 LB=4 LK=5 MM=5 NP=5 PK=5 PE=5 UY=5 VA=5 SM=5 MC=5 PR=5 ZM=5 KE=5 SN=5
AT=4 AU=4 BE=4 CH=4 DK=4 NO=4 HU=4 LU=4 NZ=4 ZA=4 PH=4 BG=4 SI=4 GE=4 AM=4 CY=4 LV=4 LI=4 MK=4 AL=4 MD=4 TN=4 BD=4 PY=4
GL=4 RU=6 IN=6 CN=6 SG=6 RO=6 KZ=6 BY=6 CO=6 EC=6 VN=6 KG=6 UZ=6 MN=5 NG=6 JP=7 IL=7 CL=7 BR=8 PL=5 PT=7 TW=5 IR=10 AZ=4
GB=0 CA=0 IE=0 NL=0 MT=0 AR=4 IS=3 JE=0 GG=0 IM=0 BM=0 GI=0 VE=4`));

/// Languages written where a country's places are: names in them count as the places' own.
export const localLanguages = new Map(Object.entries({
  DE: "de", AT: "de de_AT", CH: "de fr it rm", FR: "fr", BE: "nl fr de", NL: "nl fy", LU: "fr de lb", ES: "es ca gl eu", PT: "pt", IT: "it",
  PL: "pl", CZ: "cs", SK: "sk", HU: "hu", RO: "ro", BG: "bg", GR: "el", CY: "el tr", TR: "tr", RS: "sr", HR: "hr", BA: "bs hr sr",
  SI: "sl", MK: "mk", AL: "sq", XK: "sq sr", ME: "sr", DK: "da", NO: "nb nn no", SE: "sv", FI: "fi sv", EE: "et ru", LV: "lv ru", LT: "lt",
  IS: "is", IE: "en ga", RU: "ru", UA: "uk ru", BY: "be ru", MD: "ro ru", GE: "ka", AM: "hy", AZ: "az", KZ: "kk ru", UZ: "uz ru", KG: "ky ru",
  IL: "he ar", EG: "ar", SA: "ar", AE: "ar", MA: "ar fr", DZ: "ar fr", TN: "ar fr", IQ: "ar ku", JO: "ar", LB: "ar fr", SY: "ar",
  IR: "fa", AF: "fa ps", PK: "en ur", IN: "en hi bn ta te mr gu kn ml pa or", BD: "bn", NP: "ne", LK: "en si ta", TH: "th", LA: "lo", KH: "km",
  MM: "my", VN: "vi", CN: "zh zh_CN", TW: "zh zh_TW", HK: "en zh zh_HK", MO: "zh pt", SG: "en zh ms", JP: "ja", KR: "ko", KP: "ko", MN: "mn",
  ID: "id", MY: "en ms", PH: "en tl fil", BR: "pt pt_BR", MX: "es", AR: "es", CL: "es", CO: "es", PE: "es", VE: "es", EC: "es", BO: "es",
  UY: "es", PY: "es", CR: "es", GT: "es", CU: "es", DO: "es", PA: "es", ET: "am", ER: "ti", CA: "en fr", ZA: "en", KE: "en", NG: "en fr",
}));

/// Names in the local script that the catalogues lack, by GeoNames id.
export const townNames = new Map(Object.entries({
  792680: ["Београд"], 616052: ["Երևան"], 1526273: ["Астана"], 3183875: ["Tiranë"], 344979: ["አዲስ አበባ"],
  1821306: ["ភ្នំពេញ"], 1298824: ["ရန်ကုန်"], 6611854: ["နေပြည်တော်"], 6940394: ["さいたま市"], 1859146: ["高知市"],
  1849876: ["富山市"], 132144: ["همدان"], 127349: ["خرم‌آباد"], 1915223: ["中山市"], 1793724: ["泰安市"], 1254661: ["ठाणे"],
  1336135: ["খুলনা"], 6696918: ["桃園市"], 1948005: ["광명시"],
}));
