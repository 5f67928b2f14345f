import { until } from '#platform/testing';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';
import { faultNames, type FaultName } from './faults.js';

/** The caller's view of one withdrawal, and whether the money left. */
interface Seen {
  response: number | 'dropped';
  body: string;
  acted: boolean;
}

describe('a fault that is armed for Withdraw', () => {
  let sandbox: TestSandbox;
  let account: OpenedAccount;
  let nonce = 1;

  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    account = await sandbox.open();
    nonce = 1;
  });
  afterEach(() => sandbox.close());

  const call = (endpoint: string, params: Record<string, string> = {}) =>
    sandbox.call(account, endpoint, { nonce: String(nonce++), ...params });
  const key = () => account.withdrawalAddresses.find(({ method }) => method === 'Bitcoin')?.key ?? '';
  const acted = async () => (await sandbox.ledger(account)).withdrawals.length === 1;

  async function withdraw(): Promise<Seen> {
    try {
      const response = await call('Withdraw', { asset: 'XBT', key: key(), amount: '1' });
      return { response: response.status, body: await response.text(), acted: await acted() };
    } catch {
      return { response: 'dropped', body: '', acted: await acted() };
    }
  }

  const REFID = /^\{"error":\[\],"result":\{"refid":"[A-Z0-9-]+"\}\}$/;
  it.each<[FaultName, number | 'dropped', RegExp, boolean]>([
    ['request_lost', 'dropped', /^$/, false],
    ['answer_lost', 'dropped', /^$/, true],
    // The second copy has a used nonce: https://docs.kraken.com/exchange/guides/general/errors
    ['delivered_twice', 200, /^\{"error":\["EAPI:Invalid nonce"\]\}$/, true],
    ['error_before', 502, /html/, false],
    ['error_after', 502, /html/, true],
    ['slow', 200, REFID, true],
    ['latency', 200, REFID, true],
    ['rate_limit', 200, /EAPI:Rate limit exceeded/, false],
    ['http_429', 429, /html/, false],
    ['http_418', 418, /html/, false],
    ['malformed_before', 200, /^<html>/, false],
    ['malformed_after', 200, /^<html>/, true],
    ['empty_after', 200, /^$/, true],
    ['result_null_after', 200, /"result":null/, true],
    ['definite_refusal', 200, /EFunding:Insufficient funds/, false],
    ['executed_refusal', 200, /EFunding:Insufficient funds/, true],
    ['duplicate_answer', 200, REFID, true],
    ['wrong_nonce', 200, /EAPI:Invalid nonce/, false],
    ['revoked_key', 200, /EAPI:Invalid key/, false],
    ['ip_refused', 200, /EGeneral:Permission denied/, false],
    ['service_unavailable', 200, /EService:Unavailable/, false],
    ['clock_jump', 200, REFID, true],
  ])('%s: the response is %s', async (fault, response, body, moved) => {
    await sandbox.arm('Withdraw', fault, { delayMs: 5 });
    const seen = await withdraw();
    expect(seen).toEqual({ response, body: expect.stringMatching(body) as string, acted: moved });
    // The fault applies only once.
    expect((await call('Balance')).status).toBe(200);
    const { body: listed } = await sandbox.control('GET', 'faults');
    expect(listed).toMatchObject({ faults: [{ fault, fired: 1 }] });
  });

  it('accept_late: drops the connection, and withdraws later even if another call has used a later nonce', async () => {
    await sandbox.arm('Withdraw', 'accept_late', { delayMs: 300 });
    expect(await withdraw()).toMatchObject({ response: 'dropped', acted: false });
    await call('Balance');
    await until('the fault acted', acted);
  });

  it('arrive_late: withdraws later unless another call has used a later nonce in the meantime', async () => {
    await sandbox.arm('Withdraw', 'arrive_late', { delayMs: 200, count: 2 });
    await withdraw();
    await call('Balance');
    await withdraw();
    await until('the fault acted', acted);
    expect((await sandbox.ledger(account)).withdrawals).toHaveLength(1);
  });

  it.each<[FaultName, boolean]>([
    ['hang_before', false],
    ['hang_after', true],
  ])('%s: sends no response, and drops the connection when the faults are deleted', async (fault, moved) => {
    await sandbox.arm('Withdraw', fault);
    const hanging = withdraw();
    await until(
      'the exchange has the request',
      async () =>
        ((await sandbox.control('GET', 'requests?endpoint=Withdraw')).body as { requests: unknown[] }).requests
          .length === 1,
    );
    const { body } = await sandbox.control('GET', 'requests?endpoint=Withdraw');
    expect(body).toMatchObject({ requests: [{ outcome: 'pending', fault }] });
    await sandbox.control('DELETE', 'faults');
    expect(await hanging).toEqual({ response: 'dropped', body: '', acted: moved });
  });

  it('history_lags, history_errors and history_other_fee change the responses of WithdrawStatus', async () => {
    await withdraw();
    const history = async () => (await (await call('WithdrawStatus')).json()) as { error: string[]; result?: Fees[] };
    type Fees = { amount: string; fee: string };
    const honest = await history();
    await sandbox.arm('WithdrawStatus', 'history_lags', { delayMs: 60_000, count: 2 });
    expect(await history()).toEqual({ error: [], result: [] });
    sandbox.advance(61_000);
    expect((await history()).result).toHaveLength(1);
    await sandbox.arm('WithdrawStatus', 'history_errors');
    expect(await history()).toEqual({ error: ['EGeneral:Internal error'] });
    await sandbox.arm('WithdrawStatus', 'history_other_fee');
    const [other] = (await history()).result ?? [];
    const [shown] = honest.result ?? [];
    expect(other?.fee).not.toBe(shown?.fee);
    expect(Number(other?.fee) + Number(other?.amount)).toBeCloseTo(Number(shown?.fee) + Number(shown?.amount), 10);
  });

  it('applies only to its endpoint and its key, and stops after its count', async () => {
    await sandbox.arm('Withdraw', 'error_before', { apiKey: 'somebody-else' });
    expect(await withdraw()).toMatchObject({ response: 200 });
    await sandbox.arm('Withdraw', 'error_before');
    expect((await call('Balance')).status).toBe(200);
    expect(await withdraw()).toMatchObject({ response: 502 });
    await sandbox.arm('*', 'service_unavailable', { count: 2 });
    const errors = [];
    for (let index = 0; index < 3; index += 1)
      errors.push(((await (await call('Balance')).json()) as { error: string[] }).error);
    expect(errors).toEqual([['EService:Unavailable'], ['EService:Unavailable'], []]);
  });

  it('applies to every call until forMs has passed', async () => {
    await sandbox.arm('*', 'revoked_key', { count: null, forMs: 8_000 });
    const other = await sandbox.open();
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: String(nonce++) })).toEqual(['EAPI:Invalid key']);
    sandbox.advance(7_999);
    expect(await sandbox.errorsOf(other, 'Balance', { nonce: '1' })).toEqual(['EAPI:Invalid key']);
    sandbox.advance(1);
    expect(await sandbox.errorsOf(account, 'Balance', { nonce: String(nonce++) })).toEqual([]);
    expect((await sandbox.control('POST', 'faults', { endpoint: '*', fault: 'slow', forMs: 0 })).status).toBe(422);
  });

  it('is refused by the control API when its name is unknown', async () => {
    expect((await sandbox.control('POST', 'faults', { endpoint: '*', fault: 'nonsense' })).status).toBe(422);
    expect(new Set(faultNames).size).toBe(34);
  });
});
