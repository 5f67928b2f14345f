import { readFileSync } from 'node:fs';
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

  it('reads only files that the guide creates', () => {
    const guide = textOf('docs/production.md');
    const files = [...unit.matchAll(/^EnvironmentFile=(.+)$/gm)].map(([, file]) => file?.replace('%i', '1') ?? '');
    expect(files).toHaveLength(2);
    expect(files.filter((file) => !new RegExp(`^(?:install|printf) .+ ${file}(?: |$)`, 'm').test(guide))).toEqual([]);
    expect(guide).toMatch(new RegExp(`^systemctl enable --now .*causeway-${name}@1`, 'm'));
  });
});
