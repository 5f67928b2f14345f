import { addressRule } from '../../data/address-rules.js';
import { depositMethods } from '../../data/deposit-methods.js';
import { assets } from '../../data/assets.js';
import { TestSandbox, type OpenedAccount } from '../../../test/sandbox.js';

interface Method {
  method: string;
  limit: string | false;
  fee: string;
  minimum: string;
  'gen-address': boolean;
  'address-setup-fee'?: string;
}
interface Address {
  address: string;
  expiretm: string;
  new?: boolean;
  tag?: string;
  memo?: string;
}

describe('deposit methods and addresses of Kraken’s protocol', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let client: ReturnType<TestSandbox['ccxt']>;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open();
    client = sandbox.ccxt(account);
  });
  afterEach(() => sandbox.close());

  const methods = async (asset: string) => (await client.privatePostDepositMethods({ asset })).result as Method[];
  const named = async (asset: string, name: string) => (await methods(asset)).find(({ method }) => method === name);
  const addresses = async (asset: string, method: string, more: object = {}) =>
    (await client.privatePostDepositAddresses({ asset, method, ...more })).result as Address[];
  const create = async (asset: string, method: string, more: object = {}) => {
    const [made] = await addresses(asset, method, { new: 'true', ...more });
    if (made === undefined) throw new Error('none was made');
    return made;
  };
  const control = async (path: string, body: object) => {
    const response = await sandbox.control('POST', path, body);
    expect(response).toMatchObject({ status: 200 });
  };

  it('show limit, fee, minimum and whether addresses can be generated, with the digits of the asset', async () => {
    expect(await named('XBT', 'Bitcoin')).toEqual({
      method: 'Bitcoin',
      limit: false,
      fee: '0.0000000000',
      minimum: '0.0004000000',
      'gen-address': true,
    });
    expect(await named('XBT', 'Bitcoin Lightning')).toMatchObject({ limit: '0.1000000000' });
    expect(await named('DAI', 'DAI - Polygon (Unified)')).toMatchObject({ fee: '0.5000000000' });
    expect(await named('HBAR', 'Hedera')).toMatchObject({ 'gen-address': false });
    expect(await named('BNB', 'BNB - BNB Chain')).toMatchObject({ 'address-setup-fee': '0.0050000000' });
  });

  it('include several networks for one asset, unsupported networks, two names for one network, and unknown names', async () => {
    const names = async (asset: string) => (await methods(asset)).map(({ method }) => method);
    expect(await names('XETH')).toEqual(
      expect.arrayContaining(['Ether (Hex)', 'ETH - Arbitrum One (Unified)', 'ETH - Base (Unified)', 'Arbitrum Nova']),
    );
    expect(await names('GRT')).toEqual(expect.arrayContaining(['GRT - Ethereum (Unified)', 'GRT - Ethereum']));
    expect(await names('LDO')).toEqual(['LDO Onboarding 7']);
  });

  it('return addresses of their own network, with a tag where the network has one', async () => {
    for (const { assetCode, name, network, memo, terms } of depositMethods) {
      const asset = assets.find(({ code }) => code === assetCode);
      if (asset?.status !== 'enabled') continue;
      const amount = terms.needsAmount ? { amount: '0.01' } : {};
      const [given] = terms.generates
        ? [await create(asset.id, name, amount)]
        : await addresses(asset.id, name, amount);
      expect(given?.address).toMatch(new RegExp(addressRule(network)));
      expect(given).toMatchObject({ new: true });
      expect([given?.tag !== undefined, given?.memo !== undefined]).toEqual([memo === 'tag', memo === 'memo']);
    }
  });

  it('return a tag in the field tag, and a memo in the field memo', async () => {
    expect((await create('XXRP', 'Ripple XRP')).tag).toMatch(/^[0-9]+$/);
    expect((await create('STX', 'Stacks')).tag).toMatch(/^[0-9]+$/);
    expect((await create('XXLM', 'Stellar XLM')).memo).toMatch(/^[0-9]+$/);
  });

  it('generate a limited number of addresses, and show which of them were used', async () => {
    const made = [await create('XXBT', 'Bitcoin')];
    await control(`accounts/${account.accountId}/fund`, { asset: 'BTC', amount: '1' });
    while (made.length < 4) made.push(await create('XXBT', 'Bitcoin'));
    await expect(create('XXBT', 'Bitcoin')).rejects.toThrow('EFunding:Too many addresses');
    const listed = await addresses('XXBT', 'Bitcoin');
    expect(listed.map(({ address }) => address)).toEqual(made.map(({ address }) => address));
    expect(listed.map((one) => one.new === true)).toEqual([false, true, true, true]);
  });

  it('generate addresses with an expiry, and still list expired addresses', async () => {
    const { expiretm } = await create('XETC', 'Ether Classic (Hex)');
    expect(Number(expiretm) * 1000).toBe(sandbox.clock.now.getTime() + 7 * 24 * 60 * 60 * 1000);
    sandbox.advance(8 * 24 * 60 * 60 * 1000);
    expect(await addresses('XETC', 'Ether Classic (Hex)')).toMatchObject([{ expiretm }]);
  });

  it('return one permanent address where new addresses cannot be generated', async () => {
    await expect(create('HBAR', 'Hedera')).rejects.toThrow('EGeneral:Invalid arguments');
    const [given] = await addresses('HBAR', 'Hedera');
    expect(await addresses('HBAR', 'Hedera')).toEqual([given]);
    expect(given?.memo).toMatch(/^[0-9]+$/);
  });

  it.each([
    ['XXBT', 'Bitcoin Lightning', {}, 'EGeneral:Invalid arguments'],
    ['XXBT', 'Bitcoin Lightning', { amount: '0.2' }, 'EFunding:Invalid amount'],
    ['XXBT', 'Ether (Hex)', {}, 'EFunding:No funding method'],
    ['XETH', 'Ether', {}, 'EFunding:No funding method'],
    ['KSM', 'Kusama', {}, 'EFunding:No funding method'],
    ['NOPE', 'Bitcoin', {}, 'EFunding:Unknown asset'],
  ])('refuse a new address for %s by %s with %j: %s', async (asset, method, more, error) => {
    await expect(create(asset, method, more)).rejects.toThrow(error);
  });

  it('can lose their tag or belong to another network by a fault', async () => {
    const honest = await create('XXRP', 'Ripple XRP');
    await sandbox.arm('DepositAddresses', 'tag_missing');
    const { tag: _tag, ...bare } = honest;
    expect(await addresses('XXRP', 'Ripple XRP')).toEqual([bare]);
    await sandbox.arm('DepositAddresses', 'other_network');
    const [other] = await addresses('XXRP', 'Ripple XRP');
    expect(other).toMatchObject({ tag: honest.tag });
    expect(other?.address).not.toMatch(new RegExp(addressRule('Ripple')));
    expect(await addresses('XXRP', 'Ripple XRP')).toEqual([honest]);
    const refused = await sandbox.control('POST', 'faults', { endpoint: 'Balance', fault: 'tag_missing' });
    expect(refused.status).toBe(422);
  });

  it('can be changed by the control API', async () => {
    const method = 'ETH - Base (Unified)';
    await control('deposit-methods', { asset: 'ETH', method, limit: '3', fee: '0.01', minimum: '0.5' });
    await control('deposit-methods', { asset: 'ETH', method, generates: false });
    expect(await named('XETH', method)).toMatchObject({
      limit: '3.0000000000',
      fee: '0.0100000000',
      minimum: '0.5000000000',
      'gen-address': false,
    });
    await control('deposit-methods', { asset: 'SOL', method: 'Solana', listed: false });
    await expect(methods('SOL')).rejects.toThrow('EFunding:No funding method');
    const expiresAt = sandbox.clock.now.getTime() + 5000;
    const given = { asset: 'XRP', method: 'Ripple XRP', address: 'nowhere', expiresAt };
    await control(`accounts/${account.accountId}/deposit-addresses`, given);
    expect(await addresses('XXRP', 'Ripple XRP')).toEqual([
      { address: 'nowhere', expiretm: String(Math.floor(expiresAt / 1000)), new: true },
    ]);
    await sandbox.control('POST', 'reset');
    const other = sandbox.ccxt(await sandbox.open());
    expect((await other.privatePostDepositMethods({ asset: 'SOL' })).result).toHaveLength(1);
    const unknown = await sandbox.control('POST', 'deposit-methods', { asset: 'ETH', method: 'nowhere' });
    expect(unknown.status).toBe(422);
  });
});
