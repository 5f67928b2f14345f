import { Causeway } from '#client';
import { refusal, ScriptedServer, type Scripted } from './scripted-server.js';

const QUOTE = { id: 'quote-1' };
const ACCEPTED: Scripted = {
  status: 200,
  body: { success: true, result: { id: 'withdrawal-1', transactionId: 'transaction-1', status: 'pending' } },
};
const UNAUTHORIZED: Scripted = { status: 401, body: refusal('GENERIC_UNAUTHORIZED') };
const FROM_A_PROXY: Scripted = { status: 403, body: { message: 'blocked' } };
const OK: Scripted = { status: 200, body: { id: 'transaction-1', status: 'ok' } };
/** The status of a quote whose last execution was refused because the exchange wants a code. */
const UNVERIFIED: Scripted = {
  status: 200,
  body: {
    status: 'verification_required',
    withdrawal: { transactionId: 'transaction-1' },
    error: {
      type: 'WITHDRAWAL_2FA_REQUIRED_TOTP',
      error: 'a code is required',
      result: { exchangeCode: 'verification_required' },
    },
  },
};
const PENDING: Scripted = { status: 200, body: { status: 'pending', withdrawal: { transactionId: 'transaction-1' } } };

/**
 * When money may have left, `run` must not throw an error that looks like a refusal. The caller of `run` would create
 * another quote and pay again.
 */
describe('withdrawals.run of the client, when the service cannot be read after the execution', () => {
  const servers: ScriptedServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  async function run(...script: Scripted[]) {
    const server = await ScriptedServer.start(...script);
    servers.push(server);
    const causeway = new Causeway({ baseUrl: server.url, walletId: 'w', repeatsMax: 0 });
    return await causeway.withdrawals.run(QUOTE, { pollMs: 1, followMs: 200, doubtMs: 200 });
  }

  it('follows an accepted withdrawal through temporary failures', async () => {
    const result = run(ACCEPTED, 'lost', { status: 502, body: {} }, FROM_A_PROXY, OK);
    await expect(result).resolves.toMatchObject({ status: 'ok', transactionId: 'transaction-1' });
  });

  it('follows an execution with a code whose outcome is recorded late', async () => {
    const result = run('lost', UNVERIFIED, UNVERIFIED, PENDING, OK);
    await expect(result).resolves.toMatchObject({ status: 'ok', transactionId: 'transaction-1' });
  });

  it.each<[string, Scripted[]]>([
    ['the quote still needs a verification after an execution without a response', ['lost', UNVERIFIED]],
    ['the transaction of an accepted withdrawal cannot be read in time', [ACCEPTED, 'lost']],
    ['the key is revoked after an accepted execution', [ACCEPTED, UNAUTHORIZED]],
    ['the key is revoked after an execution without a response', ['lost', UNAUTHORIZED]],
    ['the key is revoked after an execution whose outcome was found', ['lost', PENDING, UNAUTHORIZED]],
  ])('throws CLIENT_OUTCOME_UNKNOWN when %s', async (_name, script) => {
    await expect(run(...script)).rejects.toMatchObject({
      code: 'CLIENT_OUTCOME_UNKNOWN',
      result: { quoteId: QUOTE.id },
    });
  });

  it.each([
    [400, 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM'],
    [409, 'WITHDRAWAL_TOO_MANY_ADDRESSES'],
    [502, 'WITHDRAWAL_PROVIDER_ERROR'],
  ] as const)(
    'throws a refusal by the exchange with the status %i, and does not execute the quote again',
    async (status, code) => {
      const result = { exchangeCode: 'refused' };
      await expect(run({ status, body: refusal(code, result) })).rejects.toMatchObject({ status, code, result });
      expect(servers[0]?.received).toHaveLength(1);
    },
  );

  it('throws GENERIC_UNAUTHORIZED when the service refuses the credentials of the execution', async () => {
    await expect(run(UNAUTHORIZED)).rejects.toMatchObject({ code: 'GENERIC_UNAUTHORIZED', status: 401 });
  });
});
