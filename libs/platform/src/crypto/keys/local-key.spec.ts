import { randomBytes } from 'node:crypto';
import { WrongKey } from './key-provider.js';
import { LocalKey } from './local-key.js';

const bytes = randomBytes(32);
const tenant = { organizationId: 'o', projectId: 'p' };

describe('a local key', () => {
  const key = new LocalKey('k1', bytes);

  it('unwraps what it wrapped', async () => {
    const dataKey = randomBytes(32);
    expect(await key.unwrap(await key.wrap(dataKey, tenant), tenant)).toEqual(dataKey);
  });

  it.each<[what: string, key: LocalKey, tenant: typeof tenant]>([
    ['another organization', key, { ...tenant, organizationId: 'q' }],
    ['another project', key, { ...tenant, projectId: 'q' }],
    ['a tenant whose parts are equal when joined', key, { organizationId: 'op', projectId: '' }],
    ['another id of the same bytes', new LocalKey('k2', bytes), tenant],
    ['other bytes of the same id', new LocalKey('k1', randomBytes(32)), tenant],
  ])('does not unwrap for %s', async (_what, other, elsewhere) => {
    const wrapped = await key.wrap(randomBytes(32), tenant);
    await expect(other.unwrap(wrapped, elsewhere)).rejects.toThrow(WrongKey);
  });
});
