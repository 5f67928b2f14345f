import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';

const folder = path.join(projectRoot, 'dist/programs');
const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'));

describe('the bundled programs', () => {
  it.each(maps)('have a source map %s that names only our TypeScript files', (file) => {
    const map = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { sources: string[] };
    const place = path.dirname(path.join(folder, file));
    const sources = map.sources.map((source) => path.relative(projectRoot, path.join(place, source)));
    expect(sources).not.toEqual([]);
    for (const source of sources) expect(source).toMatch(/^(apps|libs)\/.+\.ts$/);
  });
});
