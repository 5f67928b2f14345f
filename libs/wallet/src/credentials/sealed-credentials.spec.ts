import type { ExchangeCredentials } from '#exchange';
import { CannotOpen, Keyring, LocalKey, Secret, Vault } from '#platform/crypto';
import { areSealed, openCredentials, sealCredentials, type CredentialOwner } from './sealed-credentials.js';

const vault = new Vault(new Keyring([new LocalKey('k1', Buffer.alloc(32, 1))]));
const owner = { project: { id: 'p', organizationId: 'o' }, walletId: 'w' };
const fields = ['apiKey', 'apiSecret', 'apiPassphrase', 'apiUid', 'apiRegion'] as const;
const secret = (field: (typeof fields)[number]): Secret => new Secret(`the ${field}`);
const credentials: ExchangeCredentials = {
  apiKey: secret('apiKey'),
  apiSecret: secret('apiSecret'),
  apiPassphrase: secret('apiPassphrase'),
  apiUid: secret('apiUid'),
  apiRegion: secret('apiRegion'),
};

async function areEqualTo(given: ExchangeCredentials, stored: ExchangeCredentials = credentials): Promise<boolean> {
  const sealed = sealCredentials(await vault.sealer(owner.project), owner, stored, { id: 'v1', sequence: 1 });
  return areSealed(vault, owner, { sealed, sequence: 1 }, given);
}

describe('sealed credentials', () => {
  it('are equal to the same credentials', async () => expect(await areEqualTo(credentials)).toBe(true));

  // Else the credentials of another account, or of another site of the exchange, would not be stored.
  it.each(fields)('are not equal to credentials that differ in %s alone, or lack it', async (field) => {
    expect(await areEqualTo({ ...credentials, [field]: new Secret('another') })).toBe(false);
    if (field === 'apiKey') return;
    const less: ExchangeCredentials = { ...credentials, [field]: undefined };
    expect(await areEqualTo(less)).toBe(false);
    expect(await areEqualTo(credentials, less)).toBe(false);
  });

  const write = { id: 'v1', sequence: 1 };
  const sealedBy = async (of: CredentialOwner) =>
    sealCredentials(await vault.sealer(of.project), of, credentials, write);

  it.each(fields)('do not open when the record of %s stands in the place of another field', async (field) => {
    const sealed = await sealedBy(owner);
    expect(await openCredentials(vault, owner, sealed, write)).toEqual(credentials);
    for (const other of fields.filter((each) => each !== field)) {
      const swapped = { ...sealed, fields: { ...sealed.fields, [other]: sealed.fields[field] } };
      await expect(openCredentials(vault, owner, swapped, write)).rejects.toThrow(CannotOpen);
    }
  });

  it.each<[string, CredentialOwner, Partial<typeof write>]>([
    ['another wallet', { ...owner, walletId: 'other' }, {}],
    ['another project', { ...owner, project: { ...owner.project, id: 'other' } }, {}],
    ['another organization', { ...owner, project: { ...owner.project, organizationId: 'other' } }, {}],
    ['another version', owner, { id: 'v2' }],
    ['another write', owner, { sequence: 2 }],
  ])('do not open for %s', async (_what, of, rest) => {
    await expect(openCredentials(vault, of, await sealedBy(owner), { ...write, ...rest })).rejects.toThrow(CannotOpen);
  });
});
