import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';
import { sign } from './authenticate.js';

describe("a private call of Kraken's protocol", () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open();
  });
  afterEach(() => sandbox.close());

  it("is signed as in the example of Kraken's documentation", () => {
    // https://docs.kraken.com/exchange/guides/rest/authentication
    const secret = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
    const rawBody = 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25';
    const signature = sign(secret, { path: '/0/private/AddOrder', nonce: '1616492376594', rawBody });
    expect(signature.toString('base64')).toBe(
      '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
    );
  });

  it('is refused for an unknown or revoked key, and works again after a restore', async () => {
    const unknown = { apiKey: 'unknown', apiSecret: account.apiSecret };
    expect(await sandbox.errorsOf(unknown, 'Balance', { nonce: '1' })).toEqual(['EAPI:Invalid key']);
    const path = `keys/${encodeURIComponent(account.apiKey)}`;
    expect((await sandbox.control('POST', `${path}/revoke`)).status).toBe(200);
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '1' })).toEqual(['EAPI:Invalid key']);
    await sandbox.control('POST', `${path}/restore`);
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '1' })).toEqual([]);
  });

  it('is refused with a wrong secret, and uses up no nonce', async () => {
    const forged = { apiKey: account.apiKey, apiSecret: Buffer.from('another').toString('base64') };
    expect(await sandbox.errorsOf(forged, 'Balance', { nonce: '9' })).toEqual(['EAPI:Invalid signature']);
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '1' })).toEqual([]);
  });

  it('is refused when its nonce is not above the last accepted one', async () => {
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '18446744073709551614' })).toEqual([]);
    for (const nonce of ['18446744073709551614', '18446744073709551613', '', '-1', '1e20', '1.5']) {
      expect(await sandbox.errorsOf(account, 'Balance', { nonce })).toEqual(['EAPI:Invalid nonce']);
    }
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: '18446744073709551615' })).toEqual([]);
  });

  it('may have an unused nonce below the last one, within the nonce window of its key', async () => {
    const wide = await sandbox.open({ nonceWindow: 10 });
    expect(await sandbox.errorsOf(wide, 'Balance', { nonce: '100' })).toEqual([]);
    expect(await sandbox.errorsOf(wide, 'Balance', { nonce: '91' })).toEqual([]);
    expect(await sandbox.errorsOf(wide, 'Balance', { nonce: '90' })).toEqual(['EAPI:Invalid nonce']);
    for (const used of ['100', '91']) {
      expect(await sandbox.errorsOf(wide, 'Balance', { nonce: used })).toEqual(['EAPI:Invalid nonce']);
    }
  });

  it("needs every permission of its endpoint; reading a key's permissions needs none", async () => {
    const reader = await sandbox.open({ permissions: ['query-funds'] });
    expect(await sandbox.errorsOf(reader, 'Balance', { nonce: '1' })).toEqual([]);
    expect(await sandbox.errorsOf(reader, 'Withdraw', { nonce: '2' })).toEqual(['EGeneral:Permission denied']);
    expect(await sandbox.errorsOf(reader, 'WithdrawMethods', { nonce: '3' })).toEqual(['EGeneral:Permission denied']);
    const none = await sandbox.open({ permissions: [] });
    expect(await sandbox.errorsOf(none, 'GetApiKeyInfo', { nonce: '1' })).toEqual([]);
  });

  it.each([
    [['127.0.0.1'], []],
    [['127.0.0.0/8'], []],
    [['10.0.0.0/8', '::1'], ['EGeneral:Permission denied']],
    [['nonsense'], ['EGeneral:Permission denied']],
  ])('from 127.0.0.1 with the allow-list %j gets the errors %j', async (ipAllowlist, errors) => {
    const bound = await sandbox.open({ ipAllowlist });
    expect(await sandbox.errorsOf(bound, 'Balance', { nonce: '1' })).toEqual(errors);
  });

  it('to an unknown method gets an error, even when the name is a property of every object', async () => {
    for (const endpoint of ['Nothing', 'constructor', '__proto__']) {
      expect(await sandbox.errorsOf(account, endpoint, { nonce: '1' })).toEqual(['EGeneral:Unknown method']);
    }
  });

  it('with a body above 64 KB is refused with the status 413', async () => {
    const response = await sandbox.call(account, 'Balance', { nonce: '1', more: 'x'.repeat(65_536) });
    expect(response.status).toBe(413);
  });
});
