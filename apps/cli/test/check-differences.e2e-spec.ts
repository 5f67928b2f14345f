import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '#platform/config';
import { TestSandbox, type OpenedAccount } from '../../sandbox-exchange/test/sandbox.js';
import { runCli } from '../src/cli.js';
import type { Outcome } from './command-line.js';

interface Changed {
  body: string;
  status?: number;
  headers?: Record<string, string>;
}

/** Changes the response to one endpoint of Kraken. */
interface Planted {
  readonly endpoint: string;
  readonly change: (body: string) => Changed;
}

const text =
  (change: (body: string) => string) =>
  (body: string): Changed => ({ body: change(body) });

/** Each planted difference, and the line that the check prints about it. Kraken documents the fields and statuses. */
const differences: readonly (Planted & { readonly name: string; readonly says: string })[] = [
  {
    name: 'a renamed field',
    endpoint: 'BalanceEx',
    says: 'missing_field: result.{}.hold_trade',
    change: text((body) => body.replaceAll('"hold_trade"', '"held"')),
  },
  {
    name: 'a new status',
    endpoint: 'WithdrawStatus',
    says: 'unknown_value: result.withdrawals[].status: the value "Frozen"',
    change: text((body) => body.replace('"Success"', '"Frozen"')),
  },
  {
    name: 'a text that became a number',
    endpoint: 'DepositMethods',
    says: 'type: result[].minimum: number instead of text',
    change: text((body) => body.replace(/"minimum":"([\d.]+)"/, '"minimum":$1')),
  },
  {
    name: 'a missing permission',
    endpoint: 'DepositStatus',
    says: 'failed: permission_missing: EGeneral:Permission denied',
    change: text(() => '{"error":["EGeneral:Permission denied"]}'),
  },
  {
    name: 'an unknown error code',
    endpoint: 'DepositStatus',
    says: 'unknown_code: HTTP 200 with the error code "EFunding:Moon"',
    change: text(() => '{"error":["EFunding:Moon"]}'),
  },
  {
    name: 'an HTML page',
    endpoint: 'OpenOrders',
    says: 'no_json: HTTP 200 with 26 characters that are no JSON (text/html)',
    change: () => ({ body: '<html>Just a moment</html>', headers: { 'content-type': 'text/html' } }),
  },
  {
    name: 'a clock that is an hour behind',
    endpoint: '',
    says: 'clock: our clock is 35',
    change: (body) => ({ body, headers: { date: new Date(Date.now() - 3_600_000).toUTCString() } }),
  },
];

describe('a check of an exchange that differs from its documentation', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'check-'));
  let sandbox: TestSandbox;
  let server: Server;
  let account: OpenedAccount;
  let planted: Planted | null = null;

  beforeAll(async () => {
    sandbox = await TestSandbox.start({ now: () => new Date() });
    account = await sandbox.open({ balances: { BTC: '5.123', ETH: '80' } });
    await sandbox.control('POST', `accounts/${account.accountId}/history`, {
      asset: 'BTC',
      deposits: 3,
      withdrawals: 3,
      from: Date.now() - 5 * 86_400_000,
      to: Date.now() - 1000,
    });
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = 'GET', url = '', headers } = request;
        const sent = {
          method,
          headers: headers as Record<string, string>,
          ...(method === 'POST' && { body: Buffer.concat(chunks) }),
        };
        void fetch(sandbox.url + url, sent).then(async (answer) => {
          const body = await answer.text();
          const changed = planted !== null && url.endsWith(planted.endpoint) ? planted.change(body) : { body };
          response
            .writeHead(answer.status, { 'content-type': 'application/json', ...changed.headers })
            .end(changed.body);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void (planted = null));
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await sandbox.close();
  });

  async function check(args: readonly string[], secrets: Record<string, string> = {}): Promise<Outcome> {
    const outcome = { code: -1, out: '', err: '' };
    const given = { CHECK_API_KEY: account.apiKey, CHECK_API_SECRET: account.apiSecret, ...secrets };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    outcome.code = await runCli(['exchanges', 'check', 'kraken', ...args], {
      config: () => loadConfig({ EXCHANGE_KRAKEN_URL: url }),
      out: (part) => void (outcome.out += part),
      err: (part) => void (outcome.err += part),
      secret: (name) => Promise.resolve((given as Record<string, string>)[name] ?? ''),
      isTerminal: false,
    });
    return outcome;
  }

  it.each(differences)('names $name, and ends with code 1', async (difference) => {
    planted = difference;
    const { code, out, err } = await check(['--any-key', '--no-recording']);
    expect(out).toContain(difference.says);
    expect([code, err]).toEqual([1, expect.stringContaining('from the documented form')]);
  });

  it('names a network that the connector does not know as a remark, and ends with code 0', async () => {
    planted = {
      endpoint: 'WithdrawMethods',
      change: text((body) => body.replace('"network":"Bitcoin"', '"network":"Moonbeam"')),
    };
    const { code, out } = await check(['--any-key', '--no-recording']);
    expect(out).toMatch(/unmapped_network: .*Moonbeam/);
    expect([code, out]).toEqual([0, expect.stringContaining('differences: none')]);
  });

  it('stops after the facts about a key that can move money, with code 2', async () => {
    const { code, out, err } = await check(['--no-recording']);
    expect(out).not.toContain('BalanceEx');
    expect([code, err]).toEqual([2, expect.stringContaining('can do more than read (withdraw-funds')]);
  });

  it('ends with code 2 when the exchange does not accept the key', async () => {
    planted = { endpoint: 'GetApiKeyInfo', change: text(() => '{"error":["EAPI:Invalid key"]}') };
    const { code, err } = await check(['--any-key', '--no-recording']);
    expect([code, err]).toEqual([2, expect.stringContaining('did not accept the key')]);
  });

  it('writes a recording that only its owner may read, without keys, addresses and amounts, and overwrites no file', async () => {
    const file = path.join(folder, 'kraken.json');
    expect(await check(['--any-key', '--recording', file])).toMatchObject({ code: 0, err: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const recording = readFileSync(file, 'utf8');
    const { deposits, withdrawals } = (await sandbox.control('GET', `accounts/${account.accountId}/ledger`))
      .body as Record<'deposits' | 'withdrawals', Record<'address' | 'txid' | 'refid', string>[]>;
    const personal = [...deposits, ...withdrawals].flatMap(({ address, txid, refid }) => [address, txid, refid]);
    expect(personal.length).toBeGreaterThan(15);
    for (const value of [account.apiKey, account.apiSecret, account.accountId, '5.123', sandbox.url, ...personal])
      expect(recording).not.toContain(value);
    const { calls } = JSON.parse(recording) as { calls: { route: string }[] };
    expect(calls.map(({ route }) => route)).toContain('POST /0/private/WithdrawStatus');
    expect(await check(['--any-key', '--recording', file])).toMatchObject({ code: 2 });
    expect(readFileSync(file, 'utf8')).toBe(recording);
  });

  it('writes the report as JSON, without the key', async () => {
    const { out } = await check(['--any-key', '--no-recording', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      exchange: 'kraken',
      outcome: 'checked',
      general: expect.any(Array) as unknown,
    });
    expect(out).not.toContain(account.apiSecret);
    expect(out).not.toContain(account.apiKey);
  });
});
