import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';

/** A name with its file, as `docs/the-road-of-a-request.md` writes them. */
const PLACE = /`(\w+)(?:\.(\w+))?` \(`([\w./-]+\.ts)`\)/g;

const page = readFileSync(path.join(projectRoot, 'docs/the-road-of-a-request.md'), 'utf8');
const places = [...page.matchAll(PLACE)].map(([, name = '', method, file = '']) => ({ name, method, file }));

describe('the page about the road of a request', () => {
  it('names many places', () => {
    expect(places.length).toBeGreaterThan(30);
  });

  it.each(places)('names $name.$method, which is in $file', ({ name, method, file }) => {
    const source = path.join(projectRoot, file);
    expect(existsSync(source)).toBe(true);
    const text = readFileSync(source, 'utf8');
    expect(text).toMatch(new RegExp(`(function|class|interface) ${name}\\b`));
    if (method !== undefined) expect(text).toMatch(new RegExp(`^  (override |async |static )*${method}\\b[(<]`, 'm'));
  });

  it('names a file of the repository wherever it names a file', () => {
    const files = [...page.matchAll(/`((?:libs|apps)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([]);
  });
});
