import { ExchangeHarness } from '../../testing/exchange-harness.js';
import { documented, recorded, refusal, result } from '../../testing/kraken-documentation.js';

describe('a session at Kraken', () => {
  let harness: ExchangeHarness;

  beforeAll(async () => {
    harness = await ExchangeHarness.start({ EXCHANGE_TIMEOUT_MS: '400' });
  });
  afterAll(() => harness.close());
  beforeEach(() => {
    harness.stub.calls.length = 0;
  });

  /** Reads the balances of a response: [asset, free, total, withdrawable, what is elsewhere]. */
  async function balancesOf(response: Record<string, unknown>): Promise<unknown[]> {
    harness.stub.on('BalanceEx', () => result(response));
    const balances = await (await harness.open()).balances();
    harness.stub.on('BalanceEx', () => result(documented.BalanceEx));
    return balances.map(({ asset, free, total, withdrawable, elsewhere = [] }) => [
      ...[asset, String(free), String(total), String(withdrawable)],
      ...elsewhere.map(({ kind, amount }) => `${kind} ${amount.toString()}`),
    ]);
  }

  it('adds up the holdings under all ids and in all forms of one asset', async () => {
    const balances = await balancesOf({
      XXBT: { balance: '1', hold_trade: '0' },
      XBT: { balance: '0.5', hold_trade: '0.25' },
      'XBT.M': { balance: '2', hold_trade: '0' },
      XXDG: { balance: '3.00000001' },
      NEWCOIN: { balance: '4', hold_trade: '0' },
    });
    expect(balances).toEqual([
      ['BTC', '3.25', '3.5', '1.25', 'earning 2'],
      ['DOGE', '3.00000001', '3.00000001', '3.00000001'],
      ['NEWCOIN', '4', '4', '4'],
    ]);
  });

  it('counts what earns automatically as the asset itself, and what is staked as locked', async () => {
    const balances = await balancesOf({
      XXBT: { balance: '0.0000000000' },
      'XBT.F': { balance: '0.5000000000', hold_trade: '0' },
      XETH: { balance: '1' },
      'ETH2.S': { balance: '2' },
      ETH2: { balance: '3' },
      'ETH.B': { balance: '4' },
      'ETH21.S': { balance: '5' },
      'NEWCOIN.T': { balance: '6' },
    });
    expect(balances).toEqual([
      ['BTC', '0.5', '0.5', '0.5'],
      ['ETH', '1', '15', '1', 'locked 14'],
      ['NEWCOIN', '0', '6', '0', 'locked 6'],
    ]);
  });

  // The list has the form of Kraken's reference, market-data/get-asset-info, with other assets.
  it('takes the digits at the end of a form as days only if no asset has that name', async () => {
    const asset = (altname: string) => ({ aclass: 'currency', altname, decimals: 8, display_decimals: 5 });
    const other = await ExchangeHarness.start();
    const assets = { LUNA: asset('LUNA'), LUNA2: asset('LUNA2'), DOT: asset('DOT') };
    other.stub.on('Assets', () => result(assets));
    other.stub.on('BalanceEx', () =>
      result({ 'LUNA2.S': { balance: '1' }, 'LUNA28.S': { balance: '2' }, 'DOT28.S': { balance: '3' } }),
    );
    try {
      const balances = await (await other.open()).balances();
      expect(balances.map(({ asset: code, total }) => [code, total.toString()])).toEqual([
        ['LUNA2', '1'],
        ['LUNA', '2'],
        ['DOT', '3'],
      ]);
    } finally {
      await other.close();
    }
  });

  it('counts credit as Kraken documents it, in no amount of the owner, and shows debts', async () => {
    const balances = await balancesOf({
      ZEUR: { balance: '10', credit: '50', credit_used: '25', hold_trade: '30' },
      ZUSD: { balance: '-12.34' },
    });
    expect(balances).toEqual([
      ['EUR', '5', '10', '5', 'owed 25'],
      ['USD', '0', '0', '0', 'owed 12.34'],
    ]);
  });

  it('returns only the account number as the identity of the owner', async () => {
    const { identity } = await harness.open();
    const nobody = { fullName: null, email: null, iban: null, country: null };
    expect(await identity?.read()).toEqual({ ...nobody, iban: 'AA88 N84G WWFL GRPM' });
    harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, iban: undefined }));
    expect(await identity?.read()).toEqual(nobody);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('reads key information also in snake_case, which clients of the live exchange have recorded', async () => {
    harness.stub.on('GetApiKeyInfo', () => result(recorded.GetApiKeyInfo));
    const session = await harness.open();
    expect(await session.keyInfo()).toEqual({
      permissions: ['query-funds', 'withdraw-funds'],
      ipAllowlist: ['198.51.100.7'],
      validUntil: 1893456000,
      lastUsed: 1723640440,
      createdTime: 1723640437,
      modifiedTime: 1723640438,
      unsafeSettings: [],
    });
    expect(await session.identity?.read()).toMatchObject({ iban: 'AA88 N84G WWFL GRPM' });
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('prefers a documented camelCase field to the same field in snake_case, unless it is null', async () => {
    const both = { ...recorded.GetApiKeyInfo, createdTime: '1700000000', validUntil: null };
    harness.stub.on('GetApiKeyInfo', () => result(both));
    const session = await harness.open();
    expect(await session.keyInfo()).toMatchObject({ createdTime: 1700000000, validUntil: 1893456000 });
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  // Kraken's reference, get-api-key-info: "Custom nonce window value (0 if not configured)"
  it.each<[what: string, fields: object, unsafeSettings: string[]]>([
    ['0', { nonceWindow: 0 }, []],
    ['0 as text', { nonceWindow: '0' }, []],
    ['10000', { nonceWindow: 10_000 }, ['nonce_window']],
    ['10000 in snake_case', { nonceWindow: undefined, nonce_window: 10_000 }, ['nonce_window']],
    ['not reported', { nonceWindow: undefined }, ['nonce_window']],
    ['unreadable', { nonceWindow: 'none' }, ['nonce_window']],
  ])('calls a nonce window unsafe unless it is reported as 0 (%s)', async (_what, fields, unsafeSettings) => {
    harness.stub.on('GetApiKeyInfo', () => result({ ...documented.GetApiKeyInfo, ...fields }));
    const session = await harness.open();
    expect((await session.keyInfo()).unsafeSettings).toEqual(unsafeSettings);
    const required = session.trading?.requireSafeKey?.();
    await (unsafeSettings.length === 0
      ? expect(required).resolves.toBeUndefined()
      : expect(required).rejects.toMatchObject({ kind: 'refused', reason: 'nonce_window' }));
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('reads the information about a key without an IP allow-list', async () => {
    harness.stub.on('GetApiKeyInfo', () => result({ permissions: [], validUntil: '1893456000.5', ipAllowlist: null }));
    const session = await harness.open();
    expect(await session.keyInfo()).toMatchObject({ ipAllowlist: [], validUntil: 1893456000, lastUsed: null });
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it.each([
    ['a page of HTML', 200, '<html></html>', 'unavailable', 'unusable_answer'],
    ['an empty body', 200, '', 'unavailable', 'unusable_answer'],
    ['a response without a result', 200, '{"error":[]}', 'unavailable', 'unusable_answer'],
  ])('never interprets %s as an invalid key', async (_what, status, text, kind, reason) => {
    harness.stub.on('GetApiKeyInfo', (_call, response) => void response.writeHead(status).end(text));
    const session = await harness.open();
    await expect(session.keyInfo()).rejects.toMatchObject({ name: 'ExchangeError', kind, reason });
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('repeats a read with a higher nonce after a refused nonce', async () => {
    const answers = [refusal('EAPI:Invalid nonce'), result(documented.GetApiKeyInfo)];
    harness.stub.on('GetApiKeyInfo', () => answers.shift());
    const session = await harness.open();
    await session.keyInfo();
    const nonces = harness.stub.callsOf('GetApiKeyInfo').map(({ params }) => Number(params['nonce']));
    expect(nonces).toHaveLength(2);
    expect(nonces[1]).toBeGreaterThan(nonces[0] ?? Infinity);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('fails a read after six refused nonces', async () => {
    harness.stub.on('GetApiKeyInfo', () => refusal('EAPI:Invalid nonce'));
    const session = await harness.open();
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable', rawCode: 'EAPI:Invalid nonce' });
    expect(harness.stub.callsOf('GetApiKeyInfo')).toHaveLength(6);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });

  it('does not repeat a read that gets no response', async () => {
    harness.stub.on('GetApiKeyInfo', () => undefined);
    const session = await harness.open();
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(harness.stub.callsOf('GetApiKeyInfo')).toHaveLength(1);
    harness.stub.on('GetApiKeyInfo', () => result(documented.GetApiKeyInfo));
  });
});
