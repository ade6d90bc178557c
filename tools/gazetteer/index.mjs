// The name index: folded name -> postings, laid out for lookups in place.
import { extend, seed, tokens } from "./fold.mjs";

export const Kind = { place: 0, admin1: 1, admin2: 2, country: 3, word: 4 };
const bloomBits = 1 << 23;
const maxTokens = 24;

export class NameIndex {
  #keys = new Map();
  #prefixes = new Set();

  /// `posting`: {kind, ref, quality, code, capital, section, admin1, popcode}.
  add(name, posting) {
    const parts = tokens(name);
    if (parts.length === 0 || parts.length > maxTokens) return;
    let hash = seed;
    for (const part of parts) {
      hash = extend(hash, part);
      this.#prefixes.add(hash.a);
    }
    const id = `${hash.a}:${hash.b}`;
    let entry = this.#keys.get(id);
    if (!entry) this.#keys.set(id, (entry = { ...hash, postings: new Map() }));
    const who = posting.kind * 0x1000000 + posting.ref;
    const old = entry.postings.get(who);
    if (!old || posting.quality < old.quality) entry.postings.set(who, posting);
  }

  layout() {
    const bloom = new Uint32Array(bloomBits / 32);
    for (const a of this.#prefixes) {
      const bit = a >>> 9;
      bloom[bit >>> 5] |= 1 << (bit & 31);
    }
    const entries = [...this.#keys.values()].sort((x, y) => x.a - y.a || x.b - y.b);
    const slotCount = Math.ceil(entries.length * 1.4);
    const slots = new Uint32Array(slotCount * 2);
    const postings = [0, 0];
    for (const { a, b, postings: held } of entries) {
      let slot = Math.floor((a * slotCount) / 2 ** 32);
      while (slots[2 * slot + 1] !== 0) slot = slot + 1 === slotCount ? 0 : slot + 1;
      slots[2 * slot] = b;
      slots[2 * slot + 1] = postings.length / 2;
      this.#pack([...held.values()], postings);
    }
    return { bloom, slots, postings: Uint32Array.from(postings), keys: entries.length };
  }

  #pack(held, out) {
    held.sort((x, y) => y.kind - x.kind || y.popcode - x.popcode || x.quality - y.quality || x.ref - y.ref);
    held.forEach((p, i) => {
      const last = i + 1 === held.length ? 1 : 0;
      const low = p.ref | (p.kind << 20) | (p.quality << 23) | ((p.code ?? 0) << 25) | ((p.capital ?? 0) << 26) |
        ((p.section ?? 0) << 27) | (last << 31);
      out.push(low >>> 0, (p.admin1 | (p.popcode << 13)) >>> 0);
    });
  }
}
