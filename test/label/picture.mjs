// Renders the README's picture of a label, by the built package and pdftoppm, in sixteen grays: node test/label/picture.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'label-'));

try {
  execFileSync(process.execPath, [at('write-labels.mjs'), folder]);
  execFileSync('pdftoppm', ['-r', '150', '-gray', '-singlefile', join(folder, 'usps.pdf'), join(folder, 'usps')]);
  writeFileSync(at('../../docs/label.png'), pngOf(readFileSync(join(folder, 'usps.pgm'))));
} finally {
  rmSync(folder, { recursive: true });
}

/** A PNG of a PGM with 255 grays and an even width. */
function pngOf(pgm) {
  const [header, width, height] = /^P5\s(\d+)\s(\d+)\s255\s/.exec(pgm.toString('latin1', 0, 64));
  const pixels = pgm.subarray(header.length);
  const row = Number(width) / 2 + 1;
  const packed = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 2) {
      const [left, right] = [0, 1].map((next) => Math.round(pixels[y * width + x + next] / 17));
      packed[y * row + 1 + x / 2] = left * 16 + right;
    }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(Number(width), 0);
  size.writeUInt32BE(Number(height), 4);
  size[8] = 4;
  const chunks = [
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(packed, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
