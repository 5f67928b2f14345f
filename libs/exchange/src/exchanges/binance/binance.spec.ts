import { Amount } from '#money';
import type { ExchangeSession, PreparedWithdrawal, WithdrawalInstruction } from '../../port/exchange.port.js';
import { ContractBench } from '../../testing/contract/contract-bench.js';
import { json, type ExchangeContract } from '../../testing/contract/exchange-contract.js';
import { binance } from './binance.js';
import { binanceContract } from './binance-contract.js';

const subject = { declaration: binance, contract: binanceContract };
const { withdrawals } = binanceContract;
if (withdrawals === undefined) throw new Error('the contract has no withdrawals');
const { route, instruction, tagged } = withdrawals;
if (tagged === null) throw new Error('the contract has no withdrawal with a tag');

const HISTORY = 'GET /sapi/v1/capital/withdraw/history';
const TRAVEL_RULE = 'GET /sapi/v1/localentity/questionnaire-requirements';
const DAY_MS = 86_400_000;

type Check = (session: ExchangeSession, bench: ContractBench) => Promise<void>;

/** The contract suite checks everything that is not special about Binance. */
const withSession = (check: Check, calls: ExchangeContract['calls'] = {}): Promise<void> =>
  ContractBench.run(
    { ...subject, contract: { ...binanceContract, calls: { ...binanceContract.calls, ...calls } } },
    (bench) => bench.open().then((session) => check(session, bench)),
  );

async function prepare({ withdrawals: own }: ExchangeSession, one: WithdrawalInstruction): Promise<PreparedWithdrawal> {
  if (own === undefined) throw new Error('the session has no withdrawals');
  return own.prepare(one);
}

describe('a withdrawal from Binance', () => {
  it('is paid from the spot wallet, and has no tag parameter without a tag', () =>
    withSession(async (session, { stub }) => {
      const { request } = await prepare(session, instruction);
      await session.withdrawals?.submit(
        { request, clientRef: null, submissionDeadline: null },
        { beforeSend: () => undefined },
      );
      const [call] = stub.calls(route);
      expect(call?.params).toMatchObject({ walletType: '0', transactionFeeFlag: 'false', amount: '0.1005' });
      expect(call?.params).not.toHaveProperty('addressTag');
    }));

  it.each(['1&amount=9', 'a memo', '50%', 'é', '7#+='])('sends the tag %j as one parameter', (tag) =>
    withSession(async (session, { stub }) => {
      const prepared = await prepare(session, { ...tagged, tag });
      await session.withdrawals?.submit(prepared, { beforeSend: () => undefined });
      expect(stub.calls(route)[0]?.params).toMatchObject({ addressTag: tag, amount: '29' });
    }),
  );

  const required = {
    [TRAVEL_RULE]: {
      parameters: { timestamp: 'integer', recvWindow: 'integer?', signature: 'text' } as const,
      answer: json({ questionnaireCountryCode: 'AE' }),
    },
  };

  it('is refused before it is sent when the account is under a travel rule, and the estimate says so', () =>
    withSession(async (session, { stub }) => {
      const [network] = (await session.withdrawals?.networks('BTC')) ?? [];
      if (network === undefined) throw new Error('no network');
      const { asset, address, tag } = instruction;
      const intent = { asset, network, address, tag, amount: Amount.of('1'), includeFee: true };
      const estimate = await session.withdrawals?.estimate(intent);
      expect(estimate?.requirements.map(({ type }) => type)).toEqual(['travel_rule']);
      await expect(prepare(session, instruction)).rejects.toMatchObject({ kind: 'refused', reason: 'travel_rule' });
      expect(stub.calls(route)).toEqual([]);
    }, required));

  it.each([
    ['our reference', null, 7, 'withdrawOrderId'],
    ['its id', 'b6ae22b3aa844210a7041aee7589627c', 90, 'idList'],
  ] as const)('is searched by %s in the period that begins with the attempt', (_by, exchangeId, days, parameter) =>
    withSession(async (session, { stub }) => {
      const { request, clientRef } = await prepare(session, instruction);
      const periods = async (notBefore: Date): Promise<(number | null)[]> => {
        stub.forget();
        await session.withdrawals?.find({ asset: 'BTC', request, clientRef, exchangeId, notBefore });
        return stub.calls(HISTORY).map(({ params: { startTime, endTime, ...rest } }) => {
          expect(rest).toHaveProperty(parameter, exchangeId ?? clientRef);
          expect(Number(startTime)).toBe(notBefore.getTime());
          return endTime === undefined ? null : Number(endTime) - Number(startTime);
        });
      };
      const [ofOld] = await periods(new Date(Date.now() - 400 * DAY_MS));
      expect(ofOld).toBeLessThan(days * DAY_MS);
      expect(ofOld).toBeGreaterThan((days - 1) * DAY_MS);
      // The exchange's clock decides what the present is.
      expect(await periods(new Date(Date.now() - DAY_MS))).toEqual([null]);
    }),
  );
});
