// Writes data/gazetteer.bin; src/provider/gazetteer/data_file.hpp reads it. Little-endian, every section 8-aligned.
// Header: magic, version, file size, body CRC-32, header CRC-32, section count, then {offset, size} per section.
export const version = 1;
export const sections = [
  "foldStage1", "foldStage2", "foldExpansions", "bloom", "slots", "postings", "places", "admin1", "admin2",
  "countries", "grid", "strings",
];
const headerSize = 32 + sections.length * 8;

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

export function assemble(content) {
  const start = (headerSize + 7) & ~7;
  let at = start;
  const table = [];
  for (const name of sections) {
    const bytes = content[name];
    table.push([at, bytes.length]);
    at = (at + bytes.length + 7) & ~7;
  }
  const file = Buffer.alloc(at);
  sections.forEach((name, i) => content[name].copy(file, table[i][0]));
  file.write("GBGAZET\n", 0, "latin1");
  file.writeUInt32LE(version, 8);
  file.writeUInt32LE(at, 12);
  file.writeUInt32LE(crc32(file.subarray(start)), 16);
  file.writeUInt32LE(sections.length, 24);
  file.writeUInt32LE(start, 28);
  table.forEach(([offset, size], i) => {
    file.writeUInt32LE(offset, 32 + 8 * i);
    file.writeUInt32LE(size, 36 + 8 * i);
  });
  file.writeUInt32LE(crc32(file.subarray(0, start)), 20);  // with this field still zero
  return file;
}

export const bytesOf = (typed) => Buffer.from(typed.buffer, typed.byteOffset, typed.byteLength);

/// Text pool: each string once, one length byte before it (longer ones are cut at a character).
export class Strings {
  #at = new Map();
  #parts = [];
  #size = 0;
  add(text) {
    let bytes = Buffer.from(text);
    while (bytes.length > 255) bytes = Buffer.from((text = text.slice(0, -1)));
    if (!this.#at.has(text)) {
      this.#at.set(text, this.#size);
      this.#parts.push(Buffer.from([bytes.length]), bytes);
      this.#size += bytes.length + 1;
    }
    return this.#at.get(text);
  }
  bytes() { return Buffer.concat(this.#parts); }
}
