import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';
import { html, Html } from '#platform/html';

describe('the page of the sandbox exchange', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const page = async (query = '') => (await fetch(`${sandbox.url}/${query}`)).text();

  it('shows accounts, withdrawals, the codes sent by email and SMS, and the code of an authenticator', async () => {
    const client = await PartnerClient.open(sandbox, {
      name: 'Anna',
      settle: 'manual',
      verification: { mode: 'step_by_step', methods: ['GOOGLE', 'EMAIL', 'SMS'], relation: 'OR' },
    });
    const { id } = await client.challenge();
    await client.verify(id, 'GOOGLE', client.totp());
    await client.withdraw({ challengeId: id });
    const shown = await page();
    for (const text of ['Anna', '4.98985 BTC', 'requested', client.bitcoin, client.totp()]) {
      expect(shown).toContain(text);
    }
    for (const { code, to } of await client.messages()) {
      expect(shown).toContain(code);
      expect(shown).toContain(to);
    }
    expect(shown).not.toContain(client.account.token);
    expect(shown).not.toContain(client.account.totpSecret);
  });

  it('finds every account by name and id, with its codes, and shows how many accounts are not listed', async () => {
    const old = await PartnerClient.open(sandbox, {
      name: 'Old Anna',
      verification: { mode: 'inline', methods: ['GOOGLE'] },
    });
    await sandbox.control('POST', 'partner/accounts/bulk', { count: 60, namePrefix: 'Many' });
    const all = await page();
    expect(all).not.toContain(old.account.accountId);
    expect(all).toContain('11 older accounts are not listed: find them by name or id at the top');
    for (const text of ['old anna', ` ${old.account.accountId} `]) {
      const found = await page(`?q=${encodeURIComponent(text)}`);
      expect(found).toContain(old.account.accountId);
      expect(found).toContain(old.totp());
      expect(found).not.toContain('Many');
    }
    const evil = await page(`?q=${encodeURIComponent('"><script>')}&q=2`);
    expect(evil).toContain('value="&quot;&gt;&lt;script&gt; 2"');
  });

  it('shows the prices, and deposits even while they are still arriving', async () => {
    const account = await sandbox.open({ name: 'Dora' });
    const fund = (body: object) => sandbox.control('POST', `accounts/${account.accountId}/fund`, body);
    await fund({ asset: 'BTC', amount: '0.75' });
    await fund({ asset: 'ETH', amount: '1.5', status: 'Settled' });
    await sandbox.control('POST', 'prices', { pair: 'XDGUSD', price: '0.1234567' });
    const shown = (await page()).replaceAll(/\s+/g, ' ');
    expect(shown).toMatch(/0\.75 BTC<\/span><span class="confirmed">/);
    expect(shown).toMatch(/1\.5 ETH<\/span><span class="arriving">/);
    expect(shown).toMatch(/<strong>DOGE<\/strong> <input name="price" value="0\.1234567"/);
  });

  it('shows open orders, and fills them when a person changes the price', async () => {
    const account = await sandbox.open({ balances: { BTC: '1' }, name: 'Otto' });
    const order = { pair: 'XBTUSD', type: 'sell', ordertype: 'limit', volume: '0.5', price: '110000' };
    await sandbox.call(account, 'AddOrder', { nonce: '1', ...order });
    expect(await page()).toContain('sell 0.50000000 XBTUSD @ limit 110000.0');
    const move = async (pair: string, price: string) =>
      fetch(`${sandbox.url}/price`, { method: 'POST', body: new URLSearchParams({ pair, price }), redirect: 'manual' });
    for (const price of ['', '-1', '1.05', 'much']) expect((await move('XXBTZUSD', price)).status).toBe(303);
    expect((await move('NOPE', '110000')).status).toBe(303);
    expect(await page()).toContain('value="100000"');
    expect((await move('XXBTZUSD', '110000')).status).toBe(303);
    expect(await page()).toContain('value="110000"');
    expect(await page()).not.toContain('@ limit');
    expect((await sandbox.ledger(account)).balances).toMatchObject({ USD: { total: '54862.5' } });
  });

  it('shows the codes of API keys with two-factor authentication, and not their secrets', async () => {
    const account = await sandbox.open({ otp: 'all', name: 'Key of Otto' });
    const shown = await page();
    expect(shown).toContain('Key of Otto');
    expect(shown).toMatch(/class="code">[0-9]{6}</);
    for (const secret of [account.totpSecret, account.apiSecret, account.apiKey]) expect(shown).not.toContain(secret);
  });

  it('escapes text that callers have sent', async () => {
    const evil = `"><script>alert('1')</script>&`;
    const client = await PartnerClient.open(sandbox, { name: evil });
    await client.withdraw({ reference: evil });
    const shown = await page();
    expect(shown).not.toContain(evil);
    expect(shown).not.toContain("<script>alert('1')");
    expect(shown.match(/&quot;&gt;&lt;script&gt;alert\(&#39;1&#39;\)&lt;\/script&gt;&amp;/g)?.length).toBeGreaterThan(
      1,
    );
  });

  it('allows only its own script', async () => {
    const response = await fetch(sandbox.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    const script = /<script>([^]*?)<\/script>/.exec(await response.text())?.[1] ?? '';
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(script))).toString('base64');
    expect(policy).toContain(`script-src 'sha256-${digest}'`);
    expect(policy).toContain("default-src 'none'");
  });

  it('confirms a face check by its button, for a challenge and for the next withdrawal', async () => {
    const press = async () => {
      const [, accountId = '', challengeId = ''] =
        /name="accountId" value="([^"]*)"[^]*?name="challengeId" value="([^"]*)"/.exec(await page()) ?? [];
      const body = new URLSearchParams({ accountId, challengeId });
      return fetch(`${sandbox.url}/face`, { method: 'POST', body, redirect: 'manual' });
    };
    const inline = await PartnerClient.open(sandbox, { verification: { mode: 'inline', methods: ['FACE'] } });
    expect((await press()).status).toBe(303);
    expect(await page()).not.toContain('Confirm the face');
    expect((await inline.withdraw()).status).toBe(201);
    await sandbox.control('POST', 'reset');

    const stepwise = await PartnerClient.open(sandbox, { verification: { mode: 'step_by_step', methods: ['FACE'] } });
    const { id } = await stepwise.challenge();
    await press();
    expect((await stepwise.withdraw({ challengeId: id })).status).toBe(201);
    expect((await press()).status).toBe(303);
  });
});

describe('an HTML template', () => {
  it('escapes every value that is not Html', () => {
    const { text } = html`<p title="${`a"b'c`}">${'<b>&</b>'} ${1} ${new Html('<i></i>')} ${[html`<u>${'<'}</u>`]}</p>`;
    expect(text).toBe('<p title="a&quot;b&#39;c">&lt;b&gt;&amp;&lt;/b&gt; 1 <i></i> <u>&lt;</u></p>');
  });
});
