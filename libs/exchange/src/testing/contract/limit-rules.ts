import { limitsReached, type LimitReached } from '../../transport/call-limit.js';
import type { HttpResponse } from '../../transport/transport.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { answering } from './contract-stub.js';
import type { DocumentedLimit, ExchangeContract, Reply } from './exchange-contract.js';
import type { Rule } from './rule.js';
import { sendOnce, submissionsOf, type SubmissionKind } from './submissions.js';

/** A call waits for a shorter pause, and is refused during a longer one. */
const IMPATIENT = { EXCHANGE_TIMEOUT_MS: '2500' };
const OWN_LIMIT = { name: 'ExchangeError', kind: 'rate_limited', reason: 'own_limit' };
/** A call waits for a pause of this length, and does not fail. */
const SHORT_PAUSE_MS = 2_000;

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
      const isOfAll = of === 'credential' || of === 'address';
      if (isOfAll && pauseMs > SHORT_PAUSE_MS) await settled(session.balances(), true);
      else if (isOfAll) await session.balances();
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

/** Expects the declaration to state the documented pause exactly: a test cannot wait for a long pause. */
function expectDocumentedPause({ declaration, contract }: Subject, limit: DocumentedLimit): void {
  const { status, body, headers = {} } = replyOf(contract, limit);
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { 'retry-after': retryAfter } = lowerCase;
  const retryAfterMs = retryAfter === undefined ? {} : { retryAfterMs: Number(retryAfter) * 1_000 };
  const reached = limitsReached(declaration.limits, { status, body, headers: lowerCase, ...retryAfterMs });
  expect(reached.map(({ of, pauseMs }) => [of, pauseMs])).toEqual([[limit.of, limit.pauseMs]]);
}

const limits: Rule = {
  id: 'EX-38',
  title: 'a call is not sent while an earlier response shows its limit as used up',
  checks: (subject) =>
    subject.contract.limits.map((limit) => ({
      name: `a response with ${JSON.stringify('reply' in limit ? limit.reply : limit.headers)}`,
      run: async () => {
        expectDocumentedPause(subject, limit);
        await expectPause(subject, limit);
      },
    })),
};

/** Responses that no exchange but Binance documents, and that Binance documents only with 418. */
const ODD: readonly Reply[] = [418, 429, 503].map((status) => ({
  status,
  body: '',
  headers: { 'retry-after': '999999999' },
}));

/** Sends a submission that gets the odd response, and then checks that reads of all accounts go on. */
async function expectOneCallStopped(subject: Subject, kind: SubmissionKind, odd: Reply): Promise<void> {
  await ContractBench.run(subject, async ({ open, stub }) => {
    const [session, other] = [await open({ account: 0 }), await open({ account: 1 })];
    const ready = await kind.prepare(session);
    stub.answer({ [kind.contract.route]: odd });
    expect((await sendOnce(ready, session)).outcome.kind).toBe('unknown');
    await expect(session.balances()).resolves.toBeDefined();
    await expect(other.balances()).resolves.toBeDefined();
  });
}

const oddResponses: Rule = {
  id: 'EX-50',
  title: 'a response to a submission that the exchange does not document as a ban stops no read',
  needs: ['withdrawals', 'trading'],
  checks: (subject) => {
    const isBan = ({ status }: Reply): boolean =>
      subject.contract.limits.some((limit) => 'reply' in limit && limit.reply.status === status && status === 418);
    return submissionsOf(subject.contract).flatMap((kind) =>
      ODD.filter((odd) => !isBan(odd)).map((odd) => ({
        name: `${kind.name}: ${odd.status}`,
        run: () => expectOneCallStopped(subject, kind, odd),
      })),
    );
  },
};

/** Reports a 418 as a ban of our address, as a mutant of connectors does. */
export function asBan(response: HttpResponse): HttpResponse {
  const ban: LimitReached = { of: 'address', pauseMs: 259_200_000, shownBy: 'ban' };
  return response.status === 418 ? { ...response, limitsReached: [ban] } : response;
}

export const limitRules: readonly Rule[] = [limits, oddResponses];
