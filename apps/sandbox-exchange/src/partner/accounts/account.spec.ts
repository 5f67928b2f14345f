import { PartnerClient } from '../../../test/partner.js';
import { TestSandbox } from '../../../test/sandbox.js';
import { assets, methods } from '../../catalogue.js';

describe('a token of the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  const refusal = async (one: PartnerClient, token?: string | null) => {
    const { status, body } = await one.call<{ error: { code: string } }>('GET', '/account', undefined, token);
    return [status, body.error.code];
  };

  it('is required, and must be known', async () => {
    expect(await refusal(client, null)).toEqual([401, 'unauthorized']);
    expect(await refusal(client, 'somebody-elses')).toEqual([401, 'unauthorized']);
  });

  it('is refused while it is revoked', async () => {
    const path = `partner/tokens/${client.account.token}`;
    expect((await sandbox.control('POST', `${path}/revoke`)).status).toBe(200);
    expect(await refusal(client)).toEqual([401, 'token_revoked']);
    await sandbox.control('POST', `${path}/restore`);
    expect((await client.call('GET', '/account')).status).toBe(200);
    expect((await sandbox.control('POST', 'partner/tokens/nobody/revoke')).status).toBe(404);
  });

  it('is refused after its expiry', async () => {
    const tokenExpiresAt = Math.floor(sandbox.clock.now.getTime() / 1000) + 60;
    const brief = await PartnerClient.open(sandbox, { tokenExpiresAt });
    expect((await brief.call('GET', '/account')).body).toMatchObject({ tokenExpiresAt });
    sandbox.advance(60_000);
    expect(await refusal(brief)).toEqual([401, 'token_expired']);
  });

  it('is refused from addresses outside its allow-list', async () => {
    expect(await refusal(await PartnerClient.open(sandbox, { ipAllowlist: ['10.0.0.0/8'] }))).toEqual([
      403,
      'ip_not_allowed',
    ]);
    const local = await PartnerClient.open(sandbox, { ipAllowlist: ['127.0.0.1'] });
    expect((await local.call('GET', '/account')).body).toMatchObject({ ipAllowlist: ['127.0.0.1'] });
  });

  it('is checked before the body of a call', async () => {
    const response = await fetch(`${sandbox.url}/partner/v1/withdrawals`, { method: 'POST', body: 'no json' });
    expect(response.status).toBe(401);
    const known = await fetch(`${sandbox.url}/partner/v1/withdrawals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.account.token}`, 'content-type': 'application/json' },
      body: 'no json',
    });
    expect({ status: known.status, body: await known.json() }).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request' } },
    });
  });

  it('gets an error in the documented format for an unknown endpoint and for a body above 64 KB', async () => {
    const nowhere = await client.call<{ error: { code: string } }>('GET', '/nowhere');
    expect({ status: nowhere.status, code: nowhere.body.error.code }).toEqual({ status: 404, code: 'invalid_request' });
    const large = await client.call<{ error: { code: string } }>('POST', '/withdrawals', { x: 'x'.repeat(65_536) });
    expect(large.body.error.code).toBe('invalid_request');
  });
});

describe('reading by the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox, {
      verification: { mode: 'step_by_step', methods: ['GOOGLE', 'SMS'], relation: 'OR' },
    });
  });
  afterEach(() => sandbox.close());

  it('shows the account with a masked email address, and times in the documented units', async () => {
    const created = Math.floor(sandbox.clock.now.getTime() / 1000);
    await client.call('GET', '/balances');
    sandbox.advance(5000);
    const { body } = await client.call('GET', '/account');
    expect(body).toEqual({
      id: client.account.accountId,
      email: expect.stringMatching(/^[0-9a-f]\*{3}@customer\.example$/),
      emailVerified: true,
      kyc: 'verified',
      permissions: ['read', 'withdraw'],
      ipAllowlist: [],
      holdUntil: null,
      verification: { mode: 'step_by_step', relation: 'OR', methods: ['GOOGLE', 'SMS'] },
      tokenExpiresAt: null,
      tokenCreatedAt: created,
      tokenLastUsedAt: created + 5,
    });
  });

  it('shows balances under common codes', async () => {
    const { body } = await client.call('GET', '/balances');
    expect(body).toMatchObject({
      balances: expect.arrayContaining([{ asset: 'BTC', free: '5', held: '0', total: '5' }]),
    });
  });

  it('lists every network of each asset whose withdrawals are enabled, under ids in lower case with dashes', async () => {
    type Networks = { networks: Record<string, unknown>[] };
    const { networks } = (await client.call<Networks>('GET', '/networks')).body;
    expect(networks).toHaveLength(methods.length - 1);
    for (const { network } of networks) expect(network).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(new Set(networks.map(({ asset, network }) => `${String(asset)} ${String(network)}`)).size).toBe(
      networks.length,
    );
    const { body } = await client.call<Networks>('GET', '/networks?asset=XRP');
    expect(body.networks).toEqual([
      {
        asset: 'XRP',
        network: 'ripple',
        displayName: 'Ripple XRP',
        addressRegex: expect.any(String),
        tagType: 'destinationTag',
        decimals: 8,
        minimum: '2',
        maximum: '1000000',
        fee: '0.2',
        feeAsset: 'XRP',
      },
    ]);
    const ids = (await client.call<Networks>('GET', '/networks?asset=ETH')).body.networks.map(({ network }) => network);
    expect(ids).toEqual(expect.arrayContaining(['ethereum', 'arbitrum-one']));
    expect((await client.call('GET', '/networks?asset=NOPE')).body).toMatchObject({
      error: { code: 'asset_not_supported' },
    });
  });

  it('lists only networks for which the account has a valid withdrawal address', async () => {
    const codes = new Set(assets.map(({ code }) => code));
    type Networks = { networks: { asset: string; network: string; addressRegex: string }[] };
    for (const { asset, network, addressRegex } of (await client.call<Networks>('GET', '/networks')).body.networks) {
      expect(codes.has(asset)).toBe(true);
      expect(client.account.addresses[asset]?.[network]).toMatch(new RegExp(addressRegex));
    }
  });

  it('previews the cost and verification of a withdrawal, without moving money or sending codes', async () => {
    const { body } = await client.call('POST', '/withdrawals/preview', client.order());
    expect(body).toEqual({
      amount: '0.01',
      fee: '0.00015',
      total: '0.01015',
      minimum: '0.0004',
      maximum: '100',
      available: '5',
      requires: ['GOOGLE', 'SMS'],
    });
    expect(await client.balance()).toBe('5');
    expect(await client.messages()).toEqual([]);
    const plain = await PartnerClient.open(sandbox);
    const preview = await plain.call('POST', '/withdrawals/preview', plain.order());
    expect(preview.body).toMatchObject({ requires: [] });
    const poor = await client.call('POST', '/withdrawals/preview', client.order({ amount: '7' }));
    expect(poor.body).toMatchObject({ error: { code: 'insufficient_funds', available: '5' } });
  });
});
