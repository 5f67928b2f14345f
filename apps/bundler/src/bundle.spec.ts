import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.js';
import { packageOptions } from './bundle-options.js';
import { programOptions } from './program-options.js';

/** A class and a function whose names the entry uses, too, so that esbuild changes the names of their variables. */
const OTHER = `
  class Gate {}
  const open = () => 2;
  export const other = { Gate, open };
`;
const ENTRY = `
  import { other } from './other.js';
  class Gate {}
  const open = () => 1;
  const make = (isLong) => {
    const inner = (isLong, () => 'inner');
    const arrow = (value) => (isLong ? value : null);
    function declared() {}
    const options = { type: () => Gate };
    return [arrow, declared, options.type, inner];
  };
  export const own = { Gate, open }, names = () => make(true).map(({ name }) => name);
  export { other };
`;

interface Built {
  own: Record<'Gate' | 'open', { name: string }>;
  other: Record<'Gate' | 'open', { name: string }>;
  names: () => string[];
}

describe.each([
  ['programs', programOptions],
  ['packages', packageOptions],
])('the bundle of %s', (_, options) => {
  let folder: string;
  let built: Built;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'causeway-bundle-'));
    writeFileSync(path.join(folder, 'other.js'), OTHER);
    writeFileSync(path.join(folder, 'entry.js'), ENTRY);
    await bundle({ ...options, absWorkingDir: folder, entryPoints: ['entry.js'], outdir: 'out' });
    built = (await import(pathToFileURL(path.join(folder, 'out/entry.js')).href)) as Built;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('keeps the names of classes and functions, also when two have the same name', () => {
    const { own, other } = built;
    expect([own.Gate.name, other.Gate.name, own.open.name, other.open.name]).toEqual(['Gate', 'Gate', 'open', 'open']);
    expect(built.names()).toEqual(['arrow', 'declared', 'type', '']);
  });

  it('names no function again that has its name anyway', () => {
    const text = readFileSync(path.join(folder, 'out/entry.js'), 'utf8');
    expect(text).toMatch(/__name\(this, ?"Gate"\)/);
    expect(text).not.toMatch(/"(arrow|declared|type|make|names)"/);
  });
});
