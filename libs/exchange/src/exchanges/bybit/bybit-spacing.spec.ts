import { Amount } from '#money';
import type { ExchangeSession, SubmitOutcome, WithdrawalInstruction } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type Reply } from '../../testing/contract/exchange-contract.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { bybitContract } from './bybit-contract.js';
import { bybit } from './bybit.js';

const KEY = 'GET /v5/user/query-api';
const WITHDRAW = 'POST /v5/asset/withdraw/create';
const { withdrawals: documented } = bybitContract;
if (documented === undefined) throw new Error('Bybit offers withdrawals');
const USDT: WithdrawalInstruction = documented.instruction;
const XRP: WithdrawalInstruction = {
  asset: 'XRP',
  network: 'ripple',
  address: 'rLHzPsX6oXkzU2qL12kHCH8G8cnZv1rBJh',
  tag: '1000001',
  amountNoFee: Amount.of('20'),
  fee: Amount.of('0.1'),
  amountWithFee: Amount.of('20.1'),
  clientRef: 'another',
};

/** Bybit's page asset/withdraw/withdraw: "you can only withdraw once every 10 seconds per chain/coin combination". */
describe('a withdrawal at Bybit', () => {
  const clock = new ManualClock();

  function onBench(check: (bench: ContractBench) => Promise<void>): Promise<void> {
    return ContractBench.run({ declaration: bybit, contract: bybitContract }, check, {}, clock);
  }

  async function withdraw(
    { withdrawals }: ExchangeSession,
    instruction = USDT,
    beforeSend: () => void = () => undefined,
  ): Promise<SubmitOutcome> {
    if (withdrawals === undefined) throw new Error('Bybit offers withdrawals');
    return withdrawals.submit(await withdrawals.prepare(instruction), { beforeSend });
  }
  const sentIn = ({ stub }: ContractBench): number => stub.calls(WITHDRAW).length;

  const keyOf = (rest: object): Reply => {
    const permissions = { Wallet: ['Withdraw'] };
    return json({ retCode: 0, retMsg: 'OK', result: { readOnly: 0, permissions, ...rest } });
  };

  it('is not sent within 11 seconds of another one of the same coin and chain, and is sent afterwards', () =>
    onBench(async (bench) => {
      const session = await bench.open();
      expect((await withdraw(session)).kind).toBe('accepted');
      clock.advance(4_000);
      expect(await withdraw(session)).toMatchObject({ kind: 'not_sent', retryAfterMs: 7_000 });
      clock.advance(6_999);
      expect(await withdraw(session)).toMatchObject({ kind: 'not_sent', retryAfterMs: 1 });
      expect(sentIn(bench)).toBe(1);
      clock.advance(1);
      expect((await withdraw(session)).kind).toBe('accepted');
      expect(sentIn(bench)).toBe(2);
    }));

  it('of another coin and chain is sent at once', () =>
    onBench(async (bench) => {
      const session = await bench.open();
      expect((await withdraw(session)).kind).toBe('accepted');
      expect((await withdraw(session, XRP)).kind).toBe('accepted');
    }));

  it('waits after a withdrawal with another key of the same account, because Bybit counts by account', () =>
    onBench(async (bench) => {
      bench.stub.answer({ [KEY]: keyOf({ userID: 24617703 }) });
      expect((await withdraw(await bench.open({ account: 0 }))).kind).toBe('accepted');
      expect(await withdraw(await bench.open({ account: 1 }))).toMatchObject({
        kind: 'not_sent',
        retryAfterMs: 11_000,
      });
      expect(sentIn(bench)).toBe(1);
    }));

  it('does not wait after a withdrawal of another account', () =>
    onBench(async (bench) => {
      expect((await withdraw(await bench.open({ account: 0 }))).kind).toBe('accepted');
      bench.stub.answer({ [KEY]: keyOf({ userID: 24617703 }) });
      expect((await withdraw(await bench.open({ account: 1 }))).kind).toBe('accepted');
    }));

  it('waits after a withdrawal with the same key when Bybit does not report the account', () =>
    onBench(async (bench) => {
      bench.stub.answer({ [KEY]: keyOf({}) });
      expect((await withdraw(await bench.open())).kind).toBe('accepted');
      expect(await withdraw(await bench.open())).toMatchObject({ kind: 'not_sent', retryAfterMs: 11_000 });
      expect((await withdraw(await bench.open({ account: 1 }))).kind).toBe('accepted');
    }));

  it('is not prepared when the account of the key cannot be read', () =>
    onBench(async (bench) => {
      bench.stub.answer({ [KEY]: json({ retCode: 10016, retMsg: 'Server error.', result: {} }) });
      const session = await bench.open();
      await expect(withdraw(session)).rejects.toMatchObject({ kind: 'unavailable' });
      expect(sentIn(bench)).toBe(0);
    }));

  it('reads the account of a key once', () =>
    onBench(async (bench) => {
      const session = await bench.open();
      await withdraw(session);
      await withdraw(session, XRP);
      expect(bench.stub.calls(KEY)).toHaveLength(1);
    }));

  it('takes no time from the next one when no connection could be opened', () =>
    onBench(async (bench) => {
      const session = await bench.open();
      const { withdrawals } = session;
      const prepared = await withdrawals?.prepare(USDT);
      if (withdrawals === undefined || prepared === undefined) throw new Error('Bybit offers withdrawals');
      const closed = await bench.open({ url: 'http://127.0.0.1:9' });
      expect(await closed.withdrawals?.submit(prepared, { beforeSend: () => undefined })).toMatchObject({
        kind: 'not_sent',
      });
      expect((await withdraw(session)).kind).toBe('accepted');
    }));
});
