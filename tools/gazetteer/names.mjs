// The spellings under which a name is found, beside the name itself.
import { withoutApostrophes } from "./fold.mjs";

const german = { ä: "ae", ö: "oe", ü: "ue", Ä: "Ae", Ö: "Oe", Ü: "Ue", å: "aa", Å: "Aa", ø: "oe", Ø: "Oe" };
const shorter = { saint: ["st"], sainte: ["ste", "st"], fort: ["ft"], mount: ["mt"], sankt: ["st"], santo: ["sto"], santa: ["sta"], general: ["gral", "gen"], doctor: ["dr"] };
const longer = { st: "saint", "st.": "saint", ste: "sainte", "ste.": "sainte", ft: "fort", "ft.": "fort", mt: "mount", "mt.": "mount" };
const riverTail = /^(\S.*?)[ -](?:am|an der|a\.d\.|ob der|im|upon|on|sur|nad|del|sul|a\.M\.|in der|an den)[ -]\S.*$/iu;
const romanizedTail = /^(.{3,}?)[- ](?:shi|si|ku|gu|machi|mura|chō|cho|gun|kun|dong|myeon|eup|ri)$/iu;
const hanTail = /^(\p{Script=Han}{2,}|[\p{Script=Han}ァ-ヺぁ-ゖー]{2,})(?:特別市|特别市|市|县|縣|区|區|町|村|省|特區|特区|特别行政区|特別行政區)$/u;
const hangulTail = /^([가-힣]{2,}?) ?(?:특별자치시|특별시|광역시|특별자치도|시|군|구|읍)$/u;
const arabicTown = /^مدينة (.+)$/u;

function replaceWord(name, from, to) {
  return name.split(/(?<=[\s-])|(?=[\s-])/u).map((part) => (part.toLowerCase() === from ? to : part)).join("");
}

function* abbreviations(name) {
  for (const word of name.toLowerCase().split(/[\s-]+/u)) {
    for (const to of shorter[word] ?? []) yield replaceWord(name, word, to);
    if (longer[word]) yield replaceWord(name, word, longer[word]);
  }
}

function* cut(name, population) {
  const plain = name.replace(/\s*[([{].*?[)\]}]/gu, "").trim();
  if (plain && plain !== name) yield plain;
  for (const part of name.split(/\s*[,/]\s*|\s+[-–—]\s+/u)) {
    if (part && part !== name && !/^.\.|^\p{Lu}\.?$/u.test(part)) { yield part; break; }
  }
  const initials = name.replace(/\b(\p{L})\.\s?(\p{L})\./gu, "$1$2");
  if (initials !== name) yield initials;
  const river = riverTail.exec(name);
  if (river && population >= 50000 && river[1].length >= 4) yield river[1];
  const romanized = romanizedTail.exec(name);
  if (romanized) yield romanized[1];
  const local = hanTail.exec(name) ?? hangulTail.exec(name) ?? arabicTown.exec(name);
  if (local) yield local[1];
}

/// Everything that `name` may be written as, itself not among them.
export function variants(name, population = 0) {
  const out = new Set();
  for (const base of [name, ...cut(name, population)]) {
    out.add(base);
    const umlauts = base.replace(/[äöüåøÄÖÜÅØ]/gu, (c) => german[c]);
    out.add(umlauts);
    out.add(withoutApostrophes(base));
    for (const other of abbreviations(base)) out.add(other);
  }
  out.delete(name);
  return [...out].filter((other) => other.trim().length > 1);
}

const divisionWords =
  /\s*\b(?:autonomous|oblast'?|kray|krai|republic|province|region|prefecture|governorate|state of|county|parish|borough of|borough|district of|district|municipality of|municipality|department|metropolitan|provincia (?:di|de|da|do|del|de la)|provincia|città metropolitana di|city of|royal borough of|arrondissement de|province de|regierungsbezirk|landkreis|kreis|kommune|voivodeship|special|city|shi|ku|gun|si|do|ken|fu|to|sheng|shi qu)\b\s*/giu;

/// The bare name of an administrative division: "Province of Foo" and "Foo Oblast" are both "Foo".
export function bareDivision(name) {
  const bare = name.replace(/[-]/gu, (dash) => dash).replace(divisionWords, " ").replace(/^\s*(?:of|di|de)\s+/iu, "").replace(/-+$/u, "").trim();
  return bare.length >= 3 && bare !== name ? bare : undefined;
}
