import { randomBytes } from 'node:crypto';
import { mock } from 'node:test';
import { DataKeyCache } from './data-key-cache.js';
import { WrongKey, type KeyContext, type KeyProvider } from './key-provider.js';

const SECRET = randomBytes(32);
const context = { organizationId: 'o', projectId: 'p' };
const named = (id: string, unwrap: KeyProvider['unwrap']): KeyProvider => ({
  id,
  source: 'aws-kms',
  isRemote: true,
  unwrap,
  wrap: () => Promise.reject(new Error('not used')),
});
/** More data keys than a cache keeps. */
const TOO_MANY = 1_001;

describe('the data keys in the memory of a process', () => {
  it.each<[part: string, change: { id?: string; wrapped?: string } & Partial<KeyContext>]>([
    ['another organization', { organizationId: 'q' }],
    ['another project', { projectId: 'q' }],
    ['another key', { id: 'k2' }],
    ['another text', { wrapped: 'other' }],
    ['parts that are equal when joined', { organizationId: 'op', projectId: '' }],
  ])('are unwrapped again for %s, which the service of the key may refuse', async (_part, change) => {
    const refuse = () => Promise.reject(new WrongKey());
    const cache = new DataKeyCache();
    cache.keep(named('k1', refuse), 'wrapped', { context, dataKey: randomBytes(32) });
    const { id = 'k1', wrapped = 'wrapped', ...tenant } = change;
    await expect(cache.unwrap(named(id, refuse), wrapped, { ...context, ...tenant })).rejects.toThrow(WrongKey);
  });

  it.each<[how: string, fill: (cache: DataKeyCache, key: KeyProvider) => Promise<unknown> | void]>([
    ['wrapped', (cache, key) => cache.keep(key, 'first', { context, dataKey: SECRET })],
    ['unwrapped', (cache, key) => cache.unwrap(key, 'first', context)],
  ])('are overwritten when they leave it, after they were %s', async (_how, fill) => {
    const cache = new DataKeyCache();
    const key = named('k1', () => Promise.resolve(Buffer.from(SECRET)));
    const made = mock.method(Buffer, 'from');
    await fill(cache, key);
    const copies = made.mock.calls.flatMap(({ result }) => result ?? []).filter((copy) => copy.equals(SECRET));
    made.mock.restore();
    for (let index = 0; index < TOO_MANY; index++)
      cache.keep(key, String(index), { context, dataKey: Buffer.alloc(32, 1) });
    expect(copies.some((copy) => copy.equals(Buffer.alloc(32)))).toBe(true);
  });
});
