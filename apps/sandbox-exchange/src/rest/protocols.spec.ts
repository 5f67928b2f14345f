import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#platform/testing';
import { protocolDrivers, type SentCall } from '../../test/protocol-drivers.js';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';
import { restProtocols, withdrawingProtocols } from './protocols.js';

const page = readFileSync(path.join(projectRoot, 'docs/sandbox.md'), 'utf8');

/** The table rows in a section of docs/sandbox.md: changed fields of a withdrawal, and the code of the response. */
function rowsOf(section: string): [change: string, code: string][] {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(/^\| `(\{.*\})` \| (\S+?),? /gm)].map(([, change = '', code = '']) => [change, code]);
}

/** The endpoints in a section of docs/sandbox.md: method, path and permission, and the name that faults use. */
const endpointsOf = (section: string): [path: string, name: string][] => {
  const [, text = ''] = page.split(`\n## ${section}\n`);
  const rows = (text.split('\n## ')[0] ?? '').matchAll(
    /^\| `((?:GET|POST) [^`?]+)[^`]*` \| `([^`]+)` \| `([^`]+)` \|$/gm,
  );
  return [...rows].map(([, path = '', name = '', permission = '']) => [`${path} ${permission}`, name]);
};

it('a test driver exists for each protocol of an exchange from which Causeway withdraws on most networks', () => {
  expect(protocolDrivers.map(({ id }) => id)).toEqual(withdrawingProtocols.map(({ id }) => id));
});

it.each(restProtocols)('the protocol of $id has the endpoints that docs/sandbox.md lists', ({ id, endpoints }) => {
  const own = Object.entries(endpoints).map(([name, { method, path: address, needs }]) => [
    ...[`${method} ${address.replaceAll(/:(\w+)(\(.*?\))?/g, '{$1}')} ${needs}`, `${id}.${name}`],
  ]);
  const heading = page
    .split('\n## ')
    .find((section) => section.split('\n')[0]?.toLowerCase().replaceAll(' ', '-') === id)
    ?.split('\n')[0];
  expect(new Map(endpointsOf(heading ?? ''))).toEqual(new Map(own as [string, string][]));
});

describe.each(protocolDrivers)('the protocol of $id', (driver) => {
  const { id, sign, codeOf, codes, apartMs = 0, account: read, withdrawal } = driver;
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  beforeAll(async () => {
    sandbox = await TestSandbox.start();
  });
  beforeEach(async () => {
    account = await sandbox.open({ balances: { BTC: '5', USD: '100000', XRP: '100' } });
  });
  afterEach(() => sandbox.control('DELETE', 'faults'));
  afterAll(() => sandbox.close());

  async function send(call: SentCall, { by = account, aheadMs = 0, secret = '' } = {}) {
    const at = sandbox.clock.now.getTime() + aheadMs;
    const { target, headers, body } = sign(secret === '' ? by : { ...by, apiSecret: secret }, at, call);
    const response = await fetch(sandbox.url + target, {
      method: call.method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, code: codeOf(await response.json()) };
  }
  const withdraw = (more: object = {}) => send({ ...withdrawal, body: { ...withdrawal.body, ...more } });

  it('accepts a signed call whose time is at the limits of the allowed difference', async () => {
    for (const aheadMs of [0, 1 - driver.tooOldMs, driver.tooFarAheadMs - 1]) {
      expect(await send(read, { aheadMs })).toEqual({ status: 200, code: driver.success });
    }
  });

  it('refuses a call with a wrong signature, an unknown key or a time outside the limits', async () => {
    expect((await send(read, { secret: 'another' })).code).toBe(codes.signature);
    expect((await send(read, { by: { ...account, apiKey: 'unknown' } })).code).toBe(codes.key);
    for (const aheadMs of [-driver.tooOldMs, driver.tooFarAheadMs]) {
      expect((await send(read, { aheadMs })).code).toBe(codes.time);
    }
  });

  it('refuses a call whose query or body was changed after the signature', async () => {
    for (const call of [read, withdrawal]) {
      const { target, headers, body } = sign(account, sandbox.clock.now.getTime(), call);
      const changed = body === undefined ? { url: `${target}${target.includes('?') ? '&' : '?'}a=b` } : { url: target };
      const text = body === undefined ? {} : { body: body.replace('0.01', '0.02') };
      const response = await fetch(sandbox.url + changed.url, { method: call.method, headers, ...text });
      expect(codeOf(await response.json())).toBe(codes.signature);
    }
  });

  it('refuses a revoked key, another IP address, and a call without the permission', async () => {
    const reader = await sandbox.open({ permissions: ['query-funds'] });
    expect((await send(withdrawal, { by: reader })).code).toBe(codes.permission);
    const bound = await sandbox.open({ ipAllowlist: ['10.0.0.1'] });
    expect((await send(read, { by: bound })).code).toBe(codes.ip);
    await sandbox.control('POST', `keys/${encodeURIComponent(account.apiKey)}/revoke`);
    expect((await send(read)).code).toBe(codes.revoked);
  });

  describe('a withdrawal', () => {
    it('has a table of its codes in docs/sandbox.md', () => {
      expect(rowsOf(driver.section).length).toBeGreaterThan(12);
    });

    it.each(rowsOf(driver.section))('with %s gets the documented code %s', async (change, code) => {
      expect((await withdraw(JSON.parse(change) as object)).code).toBe(code);
      expect((await sandbox.ledger(account)).withdrawals).toHaveLength(code === driver.success ? 1 : 0);
    });

    it('is debited with its fee; a repeat of its id is refused or booked again, as documented', async () => {
      const named = { [driver.reference]: 'Ab1' };
      expect((await withdraw(named)).code).toBe(driver.success);
      expect((await withdraw(named)).code).toBe(driver.refusesRepeats ? codes.repeated : driver.success);
      sandbox.advance(apartMs);
      expect((await withdraw({ [driver.reference]: 'ab1' })).code).toBe(driver.success);
      const { withdrawals, balances } = await sandbox.ledger(account);
      expect(withdrawals).toHaveLength(driver.refusesRepeats ? 2 : 3);
      expect(balances['BTC']?.total).toBe(driver.refusesRepeats ? '4.9797' : '4.96955');
    });

    it('that arrives twice is booked as documented when it has an id, and twice when it has none', async () => {
      await sandbox.arm(`${id}.withdraw`, 'delivered_twice', { count: 2 });
      await withdraw({ [driver.reference]: 'one' });
      sandbox.advance(apartMs);
      await withdraw();
      // The second copy without an id comes too soon where the exchange requires a time between withdrawals.
      const booked = (driver.refusesRepeats ? 1 : 2) + (apartMs > 0 ? 1 : 2);
      expect((await sandbox.ledger(account)).withdrawals).toHaveLength(booked);
    });
  });

  it.each(Object.entries(driver.faults))(
    'responds to a withdrawal under the fault %s with the code and status %s',
    async (fault, [code, status]) => {
      await sandbox.arm(`${id}.withdraw`, fault);
      expect(await withdraw()).toEqual({ code, status });
      expect((await sandbox.ledger(account)).withdrawals).toEqual([]);
    },
  );

  it.each([
    ['withdraw', 'history_lags'],
    ['balances', 'tag_missing'],
    ['withdraw', 'wrong_nonce'],
    ['deposit.addresses', 'history_other_fee'],
    ['unknown', 'answer_lost'],
  ])('refuses to arm, for the endpoint %s, the fault %s', async (endpoint, fault) => {
    const { status } = await sandbox.control('POST', 'faults', { endpoint: `${id}.${endpoint}`, fault });
    expect(status).toBe(422);
  });
});
