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

  it('keeps holdings that earn interest separate, and adds up the holdings under all ids of one asset', async () => {
    harness.stub.on('BalanceEx', () =>
      result({
        XXBT: { balance: '1', hold_trade: '0' },
        XBT: { balance: '0.5', hold_trade: '0.25' },
        'XBT.M': { balance: '2', hold_trade: '0' },
        XXDG: { balance: '3.00000001' },
        NEWCOIN: { balance: '4', hold_trade: '0' },
      }),
    );
    const session = await harness.open();
    const balances = (await session.balances()).map(({ asset, free, total }) => [asset, String(free), String(total)]);
    expect(balances).toEqual([
      ['BTC', '1.25', '1.5'],
      ['BTC.M', '2', '2'],
      ['DOGE', '3.00000001', '3.00000001'],
      ['NEWCOIN', '4', '4'],
    ]);
    harness.stub.on('BalanceEx', () => result(documented.BalanceEx));
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
