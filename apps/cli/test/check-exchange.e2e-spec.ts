import { randomUUID } from 'node:crypto';
import { loadConfig } from '#platform/config';
import { TestSandbox } from '../../sandbox-exchange/test/sandbox.js';
import { runCli } from '../src/cli.js';
import type { Outcome } from './command-line.js';

interface CheckedProtocol {
  readonly id: string;
  readonly keyPrefix?: string;
  readonly isUnified?: true;
  readonly passphrase?: string;
}

/** The protocols of the sandbox exchange. Bitget has one for each kind of account. */
const protocols: readonly CheckedProtocol[] = [
  { id: 'kraken' },
  { id: 'coinbase' },
  { id: 'bitstamp' },
  { id: 'gemini', keyPrefix: 'account-' },
  { id: 'binance' },
  { id: 'okx', passphrase: 'sandbox' },
  { id: 'bybit' },
  { id: 'kucoin', passphrase: 'sandbox' },
  { id: 'gate' },
  { id: 'bitget', passphrase: 'sandbox' },
  { id: 'bitget', passphrase: 'sandbox', isUnified: true },
];

const FAST = { EXCHANGE_CALLS_PER_SECOND: '1000', EXCHANGE_CALLS_BURST: '1000' };

describe('a check of an exchange by the command line', () => {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await TestSandbox.start({ now: () => new Date() });
  });
  afterAll(() => sandbox.close());

  async function check(id: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> {
    const outcome = { code: -1, out: '', err: '' };
    outcome.code = await runCli(['exchanges', 'check', id, ...args], {
      config: () => loadConfig({ ...FAST, [`EXCHANGE_${id.toUpperCase()}_URL`]: sandbox.url }),
      out: (text) => void (outcome.out += text),
      err: (text) => void (outcome.err += text),
      secret: (name) => Promise.resolve(env[name] ?? ''),
      isTerminal: false,
    });
    return outcome;
  }

  async function open({ id, keyPrefix, isUnified, passphrase }: CheckedProtocol): Promise<NodeJS.ProcessEnv> {
    const balances = { BTC: '5', ETH: '80', USD: '1000', USDT: '500' };
    const path = id === 'coinbase' ? 'coinbase/accounts' : 'accounts';
    const { body } = await sandbox.control('POST', path, {
      balances,
      ...(id !== 'coinbase' && { isUnified, ...(keyPrefix !== undefined && { apiKey: keyPrefix + randomUUID() }) }),
    });
    const { accountId, apiKey, apiSecret } = body as { accountId: string; apiKey: string; apiSecret: string };
    const { status } = await sandbox.control('POST', `accounts/${accountId}/history`, {
      asset: 'BTC',
      deposits: 3,
      withdrawals: 3,
      from: Date.now() - 5 * 86_400_000,
      to: Date.now() - 1000,
    });
    expect(status).toBe(200);
    return { CHECK_API_KEY: apiKey, CHECK_API_SECRET: apiSecret, CHECK_API_PASSPHRASE: passphrase };
  }

  it.each(protocols)('runs every reading call by the protocol of $id, and finds no difference', async (protocol) => {
    const { code, out, err } = await check(protocol.id, await open(protocol), '--any-key', '--no-recording');
    expect(out).toContain('differences: none');
    expect([code, err]).toEqual([0, '']);
  });
});
