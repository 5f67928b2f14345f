import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Lets the compiled programs import the bundled packages instead of the installed ones
 * ([ADR 37](docs/decisions/0037-bundled-packages.md)): `dist/node_modules` becomes a link to them. They are bundled
 * once for each state of the installed packages.
 */
const dist = path.resolve(import.meta.dirname, '../../..');
const root = path.dirname(dist);
const link = path.join(dist, 'node_modules');
const bundles = path.join(root, 'node_modules', '.cache', 'packages', stateOfPackages());
const target = path.join(bundles, 'node_modules');

if (!existsSync(bundles)) {
  // The link is removed first, because this program itself has to import the installed packages.
  rmSync(link, { recursive: true, force: true });
  const { bundlePackages } = await import('./bundle-packages.js');
  const draft = `${bundles}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  await bundlePackages(root, path.join(draft, 'node_modules'));
  renameSync(draft, bundles);
  eraseOlder();
}
if (currentTarget() !== target) {
  rmSync(link, { recursive: true, force: true });
  symlinkSync(path.relative(dist, target), link, 'junction');
}

/**
 * Returns a hash that changes with the installed packages, and with the way in which packages are bundled.
 */
function stateOfPackages(): string {
  const programs = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.js') && !file.endsWith('.spec.js'))
    .map((file) => path.join(import.meta.dirname, file));
  const hash = createHash('sha256');
  for (const file of [path.join(root, 'node_modules', '.package-lock.json'), ...programs])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function eraseOlder(): void {
  const parent = path.dirname(bundles);
  for (const name of readdirSync(parent)) {
    if (name !== path.basename(bundles)) rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

function currentTarget(): string | null {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return null;
  return path.resolve(dist, readlinkSync(link));
}
