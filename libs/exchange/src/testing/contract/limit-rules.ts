import { ContractBench, type Subject } from './contract-bench.js';
import { answering } from './contract-stub.js';
import type { DocumentedLimit, ExchangeContract, Reply } from './exchange-contract.js';
import type { Rule } from './rule.js';

/** A call waits for a shorter pause, and is refused during a longer one. */
const IMPATIENT = { EXCHANGE_TIMEOUT_MS: '2500' };
const OWN_LIMIT = { name: 'ExchangeError', kind: 'rate_limited', reason: 'own_limit' };

/** The usual response to the reading of key information. */
function usualReply({ calls, keyInfo }: ExchangeContract): Reply {
  const answer = calls[keyInfo.route]?.answer;
  if (answer === undefined || typeof answer === 'function') throw new Error('the contract has no response');
  return answer;
}

/** The response to the reading of key information that shows the limit as used up. */
function replyOf(contract: ExchangeContract, limit: DocumentedLimit): Reply {
  if ('reply' in limit) return limit.reply;
  const usual = usualReply(contract);
  return { ...usual, headers: { ...usual.headers, ...limit.headers } };
}

/** A short pause delays a call. During a long pause, our queue refuses the call instead. */
const delayedOrRefused = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => expect(error).toMatchObject(OWN_LIMIT));

/**
 * Reads key information. One response shows the limit as used up, and the calls that the limit counts must wait.
 */
async function expectPause(subject: Subject, limit: DocumentedLimit): Promise<void> {
  const { contract } = subject;
  const { of, pauseMs } = limit;
  await ContractBench.run(
    subject,
    async ({ open, stub }) => {
      const [session, other] = [await open({ account: 0 }), await open({ account: 1 })];
      let arrivals: number[] = [];
      let isReached = false;
      stub.on(contract.keyInfo.route, (call, response) => {
        const isFirst = arrivals.push(performance.now()) === 1;
        return answering(isReached && isFirst ? replyOf(contract, limit) : usualReply(contract))(call, response);
      });
      await other.balances();
      // Some connectors read the key information before the balances, so a pause of one delays the other.
      const isReadFirst = arrivals.length > 0;
      [arrivals, isReached] = [[], true];
      const settled = (call: Promise<unknown>, isPaused: boolean): Promise<void> =>
        isPaused ? expect(call).rejects.toMatchObject(OWN_LIMIT) : expect(call).resolves.toBeDefined();
      if ('reply' in limit) await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'rate_limited' });
      else await session.keyInfo();
      if (of === 'credential' || of === 'address') await settled(session.balances(), true);
      else if (isReadFirst) await delayedOrRefused(session.balances());
      else await settled(session.balances(), false);
      await delayedOrRefused(session.keyInfo());
      const [first = 0, ...later] = arrivals;
      expect(later.filter((at) => at - first < pauseMs)).toEqual([]);
      await settled(other.keyInfo(), of === 'address' || of === 'address_endpoint');
    },
    IMPATIENT,
  );
}

const limits: Rule = {
  id: 'EX-38',
  title: 'a call is not sent while an earlier response shows its limit as used up',
  checks: (subject) => {
    const { limits: documented = [] } = subject.contract;
    if (documented.length > 0) {
      return documented.map((limit) => ({
        name: `a response with ${JSON.stringify('reply' in limit ? limit.reply : limit.headers)}`,
        run: () => expectPause(subject, limit),
      }));
    }
    return [
      {
        name: 'not applicable: the contract states that no response reports a limit',
        run: async () => expect('limits' in subject.declaration).toBe(false),
      },
    ];
  },
};

export const limitRules: readonly Rule[] = [limits];
