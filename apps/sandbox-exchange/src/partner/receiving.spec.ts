import { assets, methods } from '../catalogue.js';
import { addressRule } from '../data/address-rules.js';
import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';
import { networkIdOf } from './networks.js';

interface Method {
  asset: string;
  network: string;
  tagType: string | null;
}
interface Address {
  asset: string;
  network: string;
  address: string;
  tag: string | null;
  expiresAt: null;
}
interface ResponseBody {
  depositMethods: Method[];
  addresses: [Address];
  error: { code: string };
}

describe('receiving at the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  const get = (path: string) => client.call<ResponseBody>('GET', path);
  const address = async (asset: string, network: string) =>
    (await get(`/deposit-addresses?asset=${asset}&network=${network}`)).body.addresses[0];

  it('is possible on every network of an asset whose deposits are enabled', async () => {
    const { depositMethods } = (await get('/deposit-methods')).body;
    const open = new Set(assets.filter(({ status }) => status === 'enabled').map(({ code }) => code));
    expect(depositMethods).toHaveLength(methods.filter(({ assetCode }) => open.has(assetCode)).length);
    const { body } = await get('/deposit-methods?asset=XRP');
    expect(body).toEqual({
      depositMethods: [
        {
          asset: 'XRP',
          network: 'ripple',
          displayName: 'Ripple XRP',
          addressRegex: addressRule('Ripple'),
          tagType: 'destinationTag',
          minimum: '2',
          fee: '0',
          limit: null,
        },
      ],
    });
    expect((await get('/deposit-methods?asset=KSM')).body.depositMethods).toEqual([]);
    expect((await get('/deposit-methods?asset=NOPE')).body.error.code).toBe('asset_not_supported');
  });

  it('uses one permanent address for each asset and network', async () => {
    const first = await address('ETH', 'arbitrum-one');
    expect(first).toMatchObject({ asset: 'ETH', network: 'arbitrum-one', tag: null, expiresAt: null });
    expect(first.address).toMatch(new RegExp(addressRule('Arbitrum One')));
    expect(await address('ETH', 'arbitrum-one')).toEqual(first);
    const tagged = await address('XLM', 'stellar');
    expect(tagged.tag).toMatch(/^[0-9]+$/);
    expect(await address('XLM', 'stellar')).toEqual(tagged);
  });

  it('books an arriving deposit at the permanent address, and refuses a withdrawal to this address', async () => {
    const { address: own } = await address('BTC', 'bitcoin');
    const { body } = await sandbox.control('POST', `accounts/${client.account.accountId}/fund`, {
      asset: 'BTC',
      amount: '1',
    });
    expect(body).toMatchObject({ address: own });
    expect(await client.errorOf({ address: own })).toBe('funding_address_conflict');
  });

  it('uses an address of the requested network, with its tag', async () => {
    for (const { assetCode, network, memo } of methods) {
      if (['KSM', 'DASH'].includes(assetCode)) continue;
      const given = await address(assetCode, networkIdOf(network));
      expect(given.address).toMatch(new RegExp(addressRule(network)));
      expect(given.tag === null).toBe(memo === null);
    }
  });

  it.each([
    ['?asset=BTC', 'invalid_request'],
    ['?network=bitcoin', 'invalid_request'],
    ['?asset=BTC&network=tron', 'network_not_supported'],
    ['?asset=KSM&network=kusama', 'network_not_supported'],
    ['?asset=NOPE&network=bitcoin', 'asset_not_supported'],
  ])('responds to %s with %s', async (query, code) => {
    expect((await get(`/deposit-addresses${query}`)).body.error.code).toBe(code);
  });

  it('needs a token with the permission to read', async () => {
    const blind = await PartnerClient.open(sandbox, { permissions: ['withdraw'] });
    for (const path of ['/deposit-methods', '/deposit-addresses?asset=BTC&network=bitcoin']) {
      expect((await blind.call<ResponseBody>('GET', path)).body.error.code).toBe('permission_missing');
      expect((await client.call('GET', path, undefined, null)).status).toBe(401);
    }
  });

  it('cannot create new addresses', async () => {
    expect((await client.call('POST', '/deposit-addresses', { asset: 'BTC', network: 'bitcoin' })).status).toBe(404);
  });

  it('returns an address without its tag or of another network when a fault is armed', async () => {
    const honest = await address('XRP', 'ripple');
    await sandbox.arm('partner.deposit.addresses', 'tag_missing');
    expect(await address('XRP', 'ripple')).toEqual({ ...honest, tag: null });
    await sandbox.arm('partner.deposit.addresses', 'other_network');
    const other = await address('XRP', 'ripple');
    expect(other).toEqual({ ...honest, address: other.address });
    expect(other.address).not.toMatch(new RegExp(addressRule('Ripple')));
    const refused = await sandbox.control('POST', 'faults', { endpoint: 'partner.account', fault: 'tag_missing' });
    expect(refused.status).toBe(422);
  });
});
