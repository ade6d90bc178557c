// Builds data/gazetteer.bin. Same sources, same bytes: nothing of the time, the machine or a hash's order goes in.
import { writeFileSync } from "node:fs";
import * as codes from "./codes.mjs";
import { foldTable } from "./fold.mjs";
import { Kind, NameIndex } from "./index.mjs";
import { assemble, bytesOf, Strings } from "./layout.mjs";
import { bareDivision, variants } from "./names.mjs";
import { joinPlaces } from "./places.mjs";
import { readAllTheCities, readCatalogues, readCitiesJson } from "./sources.mjs";
import { languageMask, wordRoles } from "./words.mjs";

const output = process.argv[2] ?? new URL("../../data/gazetteer.bin", import.meta.url);
const catalogues = readCatalogues();
const source = readCitiesJson();
const places = joinPlaces(source.places, readAllTheCities());
const strings = new Strings();
const index = new NameIndex();

const popcode = (population) => (population > 0 ? Math.min(255, Math.round(Math.log10(population) * 32)) : 0);
const namesOf = (key) => [...(catalogues.get(key) ?? new Map())];

// Countries: every code that a place or the catalogues know.
const countryCodes = [...new Set([...codes.iso3.keys(), ...places.map((p) => p.country)])].sort();
const countryIndex = new Map(countryCodes.map((code, i) => [code, i]));

// First-level divisions. One more per country stands for "no division known", so that every place has a country.
const admin1Names = new Map(source.admin1.map(({ code, name }) => [code, name]));
const admin1Keys = [...new Set([...admin1Names.keys(), ...places.map((p) => p.admin1).filter(Boolean),
  ...countryCodes])].sort();
const admin1Index = new Map(admin1Keys.map((key, i) => [key, i]));
const admin1Of = (place) => admin1Index.get(place.admin1 || place.country);
const admin2Names = new Map(source.admin2.map(({ code, name }) => [code, name]));
const admin2Keys = ["", ...[...new Set([...admin2Names.keys(), ...places.map((p) => p.admin2).filter(Boolean)])].sort()];
const admin2Index = new Map(admin2Keys.map((key, i) => [key, i]));
if (admin1Keys.length > 0x1fff || admin2Keys.length > 0xffff) throw new Error("more divisions than the layout can number");

const gather = (keyOf) => {
  const groups = new Map();
  for (const place of places) {
    const key = keyOf(place);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(place);
  }
  return groups;
};
const byCountry = gather((p) => p.country);
const byAdmin1 = gather((p) => p.admin1 || p.country);
const total = (group = []) => group.reduce((sum, p) => sum + p.population, 0);

/// One town and its suburbs: nine in ten of its places lie within 45 km of the largest.
function isOneTown(group = []) {
  if (group.length === 0) return false;
  const seat = group.reduce((best, p) => (p.population > best.population ? p : best));
  const far = group.map((p) => distanceKm(seat, p)).sort((a, b) => a - b);
  return far[Math.floor(far.length * 0.9)] <= 45;
}
function distanceKm(a, b) {
  const rad = Math.PI / 180;
  const h = Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2;
  return 12742 * Math.asin(Math.sqrt(h));
}

const countryName = (code) => codes.countryLabels.get(code) ??
  namesOf(code).find(([, languages]) => languages.includes("en"))?.[0] ?? code;

// Records.
const countries = Buffer.alloc(countryCodes.length * 12);
countryCodes.forEach((code, i) => {
  const at = i * 12;
  countries.write(code.toLowerCase(), at, "latin1");
  countries.writeUInt16LE(countryIndex.get(codes.parents.get(code) ?? code), at + 2);
  countries.writeUInt32LE(strings.add(countryName(code)), at + 4);
  countries.writeUInt8(isOneTown(byCountry.get(code)) ? 1 : 0, at + 8);
  countries.writeUInt8(Number(codes.postcodeDigits.get(code) ?? 255), at + 9);
  countries.writeUInt16LE(languageMask((codes.localLanguages.get(code) ?? "en").split(" ")), at + 10);
});
const admin1 = Buffer.alloc(admin1Keys.length * 8);
admin1Keys.forEach((key, i) => {
  admin1.writeUInt32LE(strings.add(admin1Names.get(key) ?? ""), i * 8);
  admin1.writeUInt16LE(countryIndex.get(key.split(".")[0]), i * 8 + 4);
  admin1.writeUInt16LE(isOneTown(byAdmin1.get(key)) ? 1 : 0, i * 8 + 6);
});
/// French departments have the first two digits of their postcodes as code.
const departmentOf = (key) => {
  const [country, , code] = key.split(".");
  if (country !== "FR" || !code) return 0;
  return code === "2A" || code === "2B" ? 20 : Number(code) || 0;
};
const admin2 = Buffer.alloc(admin2Keys.length * 4);
admin2Keys.forEach((key, i) => {
  admin2.writeUInt16LE(admin1Index.get(key.split(".").slice(0, 2).join(".")) ?? 0, i * 4);
  admin2.writeUInt16LE(departmentOf(key), i * 4 + 2);
});

// Places, by one-degree cell from south-west to north-east, so that neighbours share pages.
const cellOf = (p) => Math.min(179, Math.floor(p.lat + 90)) * 360 + Math.min(359, Math.floor(p.lon + 180));
places.sort((a, b) => cellOf(a) - cellOf(b) || b.population - a.population || a.lat - b.lat || a.lon - b.lon ||
  (a.name < b.name ? -1 : 1));
const grid = new Uint32Array(180 * 360 + 1);
const records = Buffer.alloc(places.length * 24);
places.forEach((p, i) => {
  p.index = i;
  grid[cellOf(p) + 1] = i + 1;
  const at = i * 24;
  records.writeInt32LE(Math.round(p.lat * 1e5), at);
  records.writeInt32LE(Math.round(p.lon * 1e5), at + 4);
  records.writeUInt32LE(strings.add(p.name), at + 8);
  records.writeUInt32LE(p.population, at + 12);
  records.writeUInt32LE(p.id ?? 0, at + 16);
  records.writeUInt16LE(admin1Of(p), at + 20);
  records.writeUInt16LE(admin2Index.get(p.admin2), at + 22);
});
for (let cell = 1; cell < grid.length; cell++) grid[cell] = Math.max(grid[cell], grid[cell - 1]);

// Names.
const Quality = { own: 0, known: 1, foreign: 2 };
const isLatin = (name) => /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name);

function qualityOf(name, languages, country) {
  const local = (codes.localLanguages.get(country) ?? "en").split(" ");
  if (languages.some((l) => local.includes(l))) return Quality.own;
  if (!isLatin(name) || languages.includes("en") || languages.length > 2) return Quality.known;
  return Quality.foreign;
}

function addAll(name, posting, population) {
  index.add(name, posting);
  for (const other of variants(name, population)) {
    index.add(other, { ...posting, quality: Math.max(posting.quality, Quality.known) });
  }
}

for (const p of places) {
  const posting = {
    kind: Kind.place, ref: p.index, quality: Quality.own, admin1: admin1Of(p), popcode: popcode(p.population),
    capital: p.feature === "PPLC" ? 1 : 0, section: p.feature === "PPLX" ? 1 : 0,
  };
  addAll(p.name, posting, p.population);
  for (const old of p.otherNames) addAll(old, { ...posting, quality: Quality.known }, p.population);
  for (const [name, languages] of p.id ? namesOf(String(p.id)) : []) {
    if (isLatin(name) && name.length < 3) continue;
    addAll(name, { ...posting, quality: qualityOf(name, languages, p.country) }, p.population);
  }
  for (const name of codes.townNames.get(String(p.id)) ?? []) addAll(name, posting, p.population);
}

function addDivision(name, posting) {
  addAll(name, posting, 0);
  const bare = bareDivision(name);
  if (bare) addAll(bare, { ...posting, quality: Quality.known }, 0);
}

for (const [key, ref] of admin1Index) {
  if (!key.includes(".")) continue;
  const posting = { kind: Kind.admin1, ref, quality: Quality.own, admin1: ref, popcode: popcode(total(byAdmin1.get(key))) };
  if (admin1Names.get(key)) addDivision(admin1Names.get(key), posting);
  for (const [name] of namesOf(key)) addDivision(name, posting);
  const [country, code] = key.split(".");
  if (codes.postalAdmin1.has(country)) index.add(code, { ...posting, code: 1 });
}
for (const [code, key] of codes.admin1Codes) {
  const ref = admin1Index.get(key);
  if (ref === undefined) throw new Error(`codes.mjs: ${code} points to ${key}, which does not exist`);
  index.add(code.split(".")[1], { kind: Kind.admin1, ref, quality: Quality.own, code: 1, admin1: ref, popcode: popcode(total(byAdmin1.get(key))) });
}
const populationOfAdmin2 = gather((p) => p.admin2);
for (const [key, ref] of admin2Index) {
  if (!key) continue;
  const [country, division, code] = key.split(".");
  const admin1Ref = admin1Index.get(`${country}.${division}`) ?? admin1Index.get(country);
  const posting = { kind: Kind.admin2, ref, quality: Quality.own, admin1: admin1Ref, popcode: popcode(total(populationOfAdmin2.get(key))) };
  if (admin2Names.get(key)) addDivision(admin2Names.get(key), posting);
  if (codes.postalAdmin2.has(country)) index.add(code, { ...posting, code: 1 });
}

for (const [code, ref] of countryIndex) {
  const posting = { kind: Kind.country, ref, quality: Quality.own, admin1: admin1Index.get(code), popcode: popcode(total(byCountry.get(code))) };
  for (const [name] of namesOf(code)) if (name.length > 2 || !isLatin(name)) addAll(name, posting, 0);
  for (const name of [countryName(code), ...(codes.countryAliases.get(code) ?? [])]) addAll(name, posting, 0);
  for (const short of [code, codes.iso3.get(code)]) if (short) index.add(short, { ...posting, code: 1 });
}
for (const [word, roles] of wordRoles()) {
  index.add(word, { kind: Kind.word, ref: roles, quality: Quality.own, admin1: 0, popcode: 0 });
}

const fold = foldTable();
const names = index.layout();
const file = assemble({
  foldStage1: bytesOf(fold.stage1), foldStage2: bytesOf(fold.stage2), foldExpansions: bytesOf(fold.expansions),
  bloom: bytesOf(names.bloom), slots: bytesOf(names.slots), postings: bytesOf(names.postings), places: records,
  admin1, admin2, countries, grid: bytesOf(grid), strings: strings.bytes(),
});
writeFileSync(output, file);
console.log(`${places.length} places, ${names.keys} names, ${names.postings.length / 2} postings, ${file.length} bytes`);
