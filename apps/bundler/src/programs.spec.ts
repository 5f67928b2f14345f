import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';

const folder = path.join(projectRoot, 'dist/programs');
const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.map'));
const sourcesOf = (file: string): string[] =>
  (JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as { sources: string[] }).sources;

describe('the bundled programs', () => {
  // A file with only esbuild's own functions has no sources.
  it.each(maps.filter((file) => sourcesOf(file).length > 0))(
    'have a source map %s that names only our files, in TypeScript or JSON',
    (file) => {
      const place = path.dirname(path.join(folder, file));
      const sources = sourcesOf(file).map((source) => path.relative(projectRoot, path.join(place, source)));
      for (const source of sources) expect(source).toMatch(/^((apps|libs)\/.+\.ts|dist\/libs\/.+\.json)$/);
    },
  );

  it('have source maps', () => {
    expect(maps.flatMap(sourcesOf).length).toBeGreaterThan(1_000);
  });
});
