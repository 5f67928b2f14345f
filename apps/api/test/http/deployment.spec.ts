import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';

const textOf = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

describe.each(['api', 'worker'])('the systemd unit of the %s', (name) => {
  const unit = textOf(`docker/systemd/causeway-${name}@.service`);

  // Without this line systemd stops restarting a process that has exited five times in ten seconds, as a worker does
  // while Redis does not respond.
  it('restarts the process however often it has exited', () => {
    expect(unit).toMatch(/^\[Unit\]\n(?:[^[].*\n)*StartLimitIntervalSec=0\n/m);
    expect(unit).toMatch(/^Restart=always$/m);
  });

  it('reads only environment files that docs/production.md creates', () => {
    const guide = textOf('docs/production.md');
    const files = [...unit.matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file?.replace('%i', '1') ?? '');
    expect(files).toHaveLength(2);
    expect(files.filter((file) => !new RegExp(`^(?:install|printf) .+ ${file}(?: |$)`, 'm').test(guide))).toEqual([]);
    expect(guide).toMatch(new RegExp(`^systemctl enable --now .*causeway-${name}@1`, 'm'));
  });
});

describe('the documents about workers', () => {
  const jobs = readdirSync(path.join(projectRoot, 'libs'), { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.jobs.ts'))
    .flatMap((file) => [...textOf(path.join('libs', file)).matchAll(/defineJob<.+>\('([\w.-]+)'/g)])
    .map(([, name]) => name ?? '');

  it('list every kind of job', () => {
    const listed = [...textOf('docs/workers.md').matchAll(/^\| `([a-z-]+\.[a-z-]+)` \|/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(jobs.sort());
  });

  it('count one connection to PostgreSQL for each kind of job', () => {
    expect(textOf('docs/production.md')).toContain(`1 for each of the ${jobs.length} kinds of job`);
  });
});

describe('the build context of the image', () => {
  const lines = textOf('.dockerignore').split('\n');
  const after = (prefix: string): string[] =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  const kept = after('!');
  const ignored = after('**/').map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replace('*', '.*')}$`));
  const isPresent = (file: string): boolean =>
    kept.some((name) => file === name || file.startsWith(`${name}/`)) &&
    !file.split('/').some((part) => ignored.some((pattern) => pattern.test(part)));

  it('has every module that the build imports', () => {
    const sources = ['apps', 'libs']
      .flatMap((folder) =>
        readdirSync(path.join(projectRoot, folder), { encoding: 'utf8', recursive: true }).map((file) =>
          path.posix.join(folder, file),
        ),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('spec.ts') && isPresent(file));
    expect(sources.length).toBeGreaterThan(500);
    const missing = sources.flatMap((file) => importsOf(file).filter((imported) => !isPresent(imported)));
    expect([...new Set(missing)]).toEqual([]);
  });
});

const { imports } = JSON.parse(textOf('package.json')) as { imports: Record<string, { source: string }> };

/** Lists the files of this repository that a file imports. */
function importsOf(file: string): string[] {
  const names = [...textOf(file).matchAll(/^(?:import|export|\}) .*'(#[^']+|\.[^']+\.js)'/gm)].map(
    ([, name]) => name ?? '',
  );
  return names.map((name) => {
    if (name.startsWith('.')) return path.posix.join(path.dirname(file), name).replace(/\.js$/, '.ts');
    const [, lib, part] = /^(#[^/]+)\/?(.*)$/.exec(name) ?? [];
    const source = imports[name]?.source ?? imports[`${lib}/*`]?.source.replace('*', part ?? '') ?? name;
    return path.posix.normalize(source);
  });
}
