// Folding and cutting of text into tokens. The lookup does the same from the table that foldTable() gives, which is
// part of the data file: so the two can never disagree, whatever Unicode version either side was built with.
import { readFileSync } from "node:fs";

export const Class = { separator: 0, hard: 1, lower: 2, upper: 3, digit: 4, single: 5, hangul: 6, ignorable: 7 };

const stripped = [
  [0x0300, 0x036f], [0x0483, 0x0489], [0x0591, 0x05c7], [0x0610, 0x061a], [0x0640, 0x0640], [0x064b, 0x065f],
  [0x0670, 0x0670], [0x06d6, 0x06ed], [0x093c, 0x093c], [0x09bc, 0x09bc], [0x0a3c, 0x0a3c], [0x0b3c, 0x0b3c],
  [0x1ab0, 0x1aff], [0x1dc0, 0x1dff], [0x200b, 0x200f], [0x2060, 0x2064], [0x20d0, 0x20ff], [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f], [0xfeff, 0xfeff], [0x00ad, 0x00ad],
];
// Scripts written without spaces (and kana): each code point is a token of its own.
const unspaced = [
  [0x0e00, 0x0eff], [0x0f40, 0x0fbc], [0x1000, 0x109f], [0x1780, 0x17ff], [0x3005, 0x3007], [0x3041, 0x30fa],
  [0x30fc, 0x30ff], [0x3400, 0x4dbf], [0x4e00, 0x9fff], [0xf900, 0xfaff], [0x20000, 0x323af],
];
const letters = new Map(Object.entries({
  "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i", "ŋ": "n", "ħ": "h",
  "ŧ": "t", "ĸ": "k", "ə": "a", "ƒ": "f", "ɓ": "b", "ɗ": "d", "ɛ": "e", "ɔ": "o", "ƙ": "k", "ʼ": "'", "ς": "σ",
  "ى": "ي", "ی": "ي", "ې": "ي", "ک": "ك", "ة": "ه", "ە": "ه", "ھ": "ه", "ہ": "ه", "ۀ": "ه", "ٱ": "ا", "ґ": "г",
  "ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ", "և": "եվ", "ւ": "վ", "ヶ": "ケ", "ケ": "ケ", "ヵ": "カ",
}));
const hardSeparators = new Set([..."\n\r\t,;|:–—、。，；：؛،・︰"]);
const apostrophes = /['’‘ʼʻ`´ʹʾʿ′]/gu;

const han = new Map(
  readFileSync(new URL("han-simplified.txt", import.meta.url), "utf8")
    .split("\n").filter((line) => line && !line.startsWith("#")).map((line) => [...line]));

const within = (ranges, cp) => ranges.some(([from, to]) => cp >= from && cp <= to);
const isHangul = (cp) => cp >= 0xac00 && cp <= 0xd7a3;
const isKana = (cp) => cp >= 0x3041 && cp <= 0x30ff;

function foldedLetters(cp) {
  const s = String.fromCodePoint(cp);
  if (isHangul(cp) || isKana(cp)) return letters.get(s) ?? s;
  const out = [];
  for (const c of s.normalize("NFKD").toLowerCase().normalize("NFKD")) {
    const at = c.codePointAt(0);
    if (within(stripped, at)) continue;
    const digit = /\p{Nd}/u.test(c) ? String(digitValue(at)) : undefined;
    const one = digit ?? letters.get(c) ?? han.get(c) ?? c;
    if (/[\p{L}\p{M}\p{N}々〇ー]/u.test(one)) out.push(one);
  }
  const joined = out.join("");
  return /[\u3099\u309a]/.test(joined) ? joined.normalize("NFC") : joined;
}

function digitValue(cp) {
  let zero = cp;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && cp - zero < 9) zero--;
  return cp - zero;
}

/// What one code point becomes: its class and its folded code points (none for separators and ignorables).
export function foldCodePoint(cp) {
  const s = String.fromCodePoint(cp);
  if (hardSeparators.has(s)) return { kind: Class.hard, to: [] };
  // Voicing marks apart from their kana (also the half-width ones): the lookup joins them to the token before.
  if (cp === 0x3099 || cp === 0xff9e) return { kind: Class.single, to: [0x3099] };
  if (cp === 0x309a || cp === 0xff9f) return { kind: Class.single, to: [0x309a] };
  if (within(stripped, cp)) return { kind: Class.ignorable, to: [] };
  if (s.match(apostrophes)) return { kind: Class.separator, to: [] };
  const to = [...foldedLetters(cp)].map((c) => c.codePointAt(0));
  if (to.length === 0) return { kind: Class.separator, to };
  if (to.every((c) => c >= 0x30 && c <= 0x39)) return { kind: Class.digit, to };
  if (within(unspaced, to[0])) return { kind: Class.single, to };
  if (isHangul(to[0])) return { kind: Class.hangul, to };
  return { kind: /[\p{Lu}\p{Lt}]/u.test(s) ? Class.upper : Class.lower, to };
}

/// The two-stage table: `stage1[cp >> 8]` is the block, `stage2[block * 256 + (cp & 255)]` an entry:
/// bits 24-31 class, bit 23 "the low bits are an offset into `expansions`" (count, then code points),
/// else bits 0-20 the folded code point, 0 for "itself".
export function foldTable() {
  const stage1 = new Uint16Array(0x1100);
  const expansions = [0];
  const seen = new Map();
  const blocks = [];
  for (let high = 0; high < 0x1100; high++) {
    const block = new Uint32Array(256);
    for (let low = 0; low < 256; low++) {
      const cp = high * 256 + low;
      if (cp >= 0xd800 && cp <= 0xdfff) continue;
      block[low] = entryOf(cp, expansions);
    }
    const key = Buffer.from(block.buffer).toString("latin1");
    if (!seen.has(key)) {
      seen.set(key, blocks.length);
      blocks.push(block);
    }
    stage1[high] = seen.get(key);
  }
  const stage2 = new Uint32Array(blocks.length * 256);
  blocks.forEach((block, i) => stage2.set(block, i * 256));
  return { stage1, stage2, expansions: Uint32Array.from(expansions) };
}

function entryOf(cp, expansions) {
  const { kind, to } = foldCodePoint(cp);
  let low = 0;
  if (to.length === 1 && to[0] !== cp) low = to[0];
  if (to.length > 1) {
    low = 0x800000 | expansions.length;
    expansions.push(to.length, ...to);
  }
  return ((kind << 24) | low) >>> 0;
}

const foldCache = new Map();
function foldCached(cp) {
  let folded = foldCache.get(cp);
  if (!folded) foldCache.set(cp, (folded = foldCodePoint(cp)));
  return folded;
}

/// Tokens as arrays of code points: words, and single code points in Hangul and the scripts without spaces.
export function tokens(text) {
  const out = [];
  let word = null;
  for (const c of text.normalize("NFC")) {
    const { kind, to } = foldCached(c.codePointAt(0));
    if (kind === Class.ignorable) continue;
    if (kind === Class.single || kind === Class.hangul) {
      word = null;
      for (const cp of to) out.push([cp]);
    } else if (kind === Class.separator || kind === Class.hard) {
      word = null;
    } else {
      if (!word) out.push((word = []));
      word.push(...to);
    }
  }
  return out;
}

const rotl = (x, n) => (x << n) | (x >>> (32 - n));
function mix(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

export const seed = { a: 0x2545f491, b: 0x1b873593 };

/// The two 32-bit hashes after one more token.
export function extend({ a, b }, token) {
  let x = 0x811c9dc5;
  let y = 0x9747b28c;
  for (const cp of token) {
    x = Math.imul(x ^ cp, 0x01000193);
    y = Math.imul(rotl(y, 5) ^ cp, 0x9e3779b1);
  }
  return {
    a: Math.imul(rotl(a, 7) ^ mix(x), 0x85ebca6b) >>> 0,
    b: Math.imul(rotl(b, 11) ^ mix(y), 0xc2b2ae35) >>> 0,
  };
}

export const withoutApostrophes = (text) => text.replace(apostrophes, "");
