import type { ExchangeErrorKind } from '../../port/exchange-error.js';
import {
  isDefinite as isDefiniteMeaning,
  parseBody,
  type ErrorGrade,
  type ErrorMap,
  type ErrorMeaning,
} from '../../transport/error-map.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedFailures } from './documented-failures.js';
import type { DocumentedRefusal, Reply } from './exchange-contract.js';
import { ofGateways, type Check, type Rule } from './rule.js';
import { submissionsOf, submitOne, type Outcome, type SubmissionKind } from './submissions.js';

/** Minimum number of documented refusals in the contract of a connector that sends withdrawals or orders. */
const REFUSALS_MIN = 25;

/** The kind of error with which a read must fail, by the documented grade of the refusal. */
const KINDS: Readonly<Record<ErrorGrade, ExchangeErrorKind>> = {
  refused: 'refused',
  refused_if_new: 'refused',
  credentials: 'credentials_invalid',
  permission: 'permission_missing',
  ip_not_allowed: 'ip_not_allowed',
  blocked: 'access_blocked',
  pause: 'rate_limited',
  unknown: 'unavailable',
};

/**
 * The codes and reasons of refusals that the second copy of a request can get because the first copy was executed. A
 * refused order has no code of its own for them.
 */
const CAUSED_BY_A_COPY: ReadonlySet<string> = new Set([
  ...['WITHDRAWAL_INSUFFICIENT_BALANCE', 'WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE'],
  ...['insufficient_balance', 'too_many_open_orders'],
]);

/**
 * Refusals of reads. The exchange does not document them for submissions, so they leave the outcome of a submission
 * unknown.
 */
const OF_READS: ReadonlySet<string> = new Set([
  ...['TRADING_ORDER_NOT_FOUND', 'DEPOSIT_ADDRESS_UNAVAILABLE', 'DEPOSIT_METHODS_UNAVAILABLE'],
]);

/** All meanings of an error map, with their codes at the exchange. */
const meaningsIn = ({ meanings }: ErrorMap): (readonly [string, ErrorMeaning])[] =>
  Object.entries(meanings).flatMap(([code, listed]) =>
    'byMessage' in listed
      ? [
          ...listed.byMessage.map(({ meaning }) => meaning),
          ...(listed.otherwise === undefined ? [] : [listed.otherwise]),
        ].map((meaning) => [code, meaning] as const)
      : [[code, listed] as const],
  );

/** The grades of the error map that documented failures show. */
const GRADES_OF_FAILURES: ReadonlyMap<string, ErrorGrade> = new Map([
  ['location_blocked', 'blocked'],
  ['address_blocked', 'blocked'],
  ['country_not_served', 'refused_if_new'],
  ['ip_not_allowed', 'ip_not_allowed'],
]);

function isDefinite({ grade, isDefinite: stated = grade === 'refused' }: DocumentedRefusal): boolean {
  return stated;
}

/** The outcome that a submission must have when the exchange sends this refusal. */
function outcomeOf(refusal: DocumentedRefusal, { name, codes }: SubmissionKind): object {
  if (!isDefinite(refusal)) return { kind: 'unknown' };
  const { grade, code = codes.otherwise, reason } = refusal;
  switch (grade) {
    case 'credentials':
      return { kind: 'rejected', code: 'WALLET_INVALID_CREDENTIALS' };
    case 'permission':
    case 'ip_not_allowed':
    case 'blocked':
      return { kind: 'rejected', code: codes.otherwise, reason: KINDS[grade] };
    case 'pause':
      return { kind: 'rejected', code: codes.rateLimited };
    default: {
      const isCode = name === 'withdrawal' && code.startsWith('WITHDRAWAL_2FA_REQUIRED');
      return { kind: isCode ? 'verification_required' : 'rejected', code, ...(reason !== undefined && { reason }) };
    }
  }
}

const refused: Rule = {
  id: 'EX-10',
  title: 'a submission has the outcome that the exchange documents for each refusal',
  needs: ['withdrawals', 'trading'],
  checks: (subject) =>
    submissionsOf(subject.contract).flatMap((kind) =>
      subject.contract.refusals
        .filter(({ of }) => of === 'all' || (of === 'order') === (kind.name === 'order'))
        .map((refusal) => ({
          name: `${kind.name}: ${refusal.name}`,
          run: async () => expect(await outcome(subject, kind, refusal.reply)).toMatchObject(outcomeOf(refusal, kind)),
        })),
    ),
};

function outcome(subject: Subject, kind: SubmissionKind, reply: Reply): Promise<Outcome> {
  return submitOne(subject, kind, ({ stub }) => stub.answer({ [kind.contract.route]: reply }));
}

const unlisted: Rule = {
  id: 'EX-11',
  title: 'a submission with a refusal that is not documented is unknown',
  needs: ['withdrawals', 'trading'],
  checks: (subject) =>
    submissionsOf(subject.contract).flatMap((kind) =>
      subject.contract.unlisted.map((reply) => ({
        name: `${kind.name}: ${reply.status} ${reply.body.slice(0, 80)}`,
        run: async () => expect(await outcome(subject, kind, reply)).toMatchObject({ kind: 'unknown' }),
      })),
    ),
};

const repeats: Rule = {
  id: 'EX-12',
  title:
    'refusals that an executed copy of the request may cause are definite only if repeats are refused first; refusals of reads never are',
  checks: ({ contract, contract: { refusals, repeatsAreRefusedFirst }, declaration: { errors } }) => [
    {
      name:
        repeatsAreRefusedFirst === null
          ? 'no refusal that an executed copy causes is definite'
          : `a refusal that an executed copy causes is definite, because of ${repeatsAreRefusedFirst}`,
      run: async () => {
        const caused = refusals.filter(({ code = '', reason = '' }) =>
          [code, reason].some((one) => CAUSED_BY_A_COPY.has(one)),
        );
        const definite = caused.filter(isDefinite).map(({ name }) => name);
        if (repeatsAreRefusedFirst === null) expect(definite).toEqual([]);
        else expect(definite).not.toEqual([]);
        if (submissionsOf(contract).length > 0) expect(caused).not.toEqual([]);
      },
    },
    {
      name: 'no refusal of a read is definite for a withdrawal',
      run: async () => {
        const ofReads = meaningsIn(errors).filter(([, { code = '' }]) => OF_READS.has(code));
        expect(ofReads.filter(([, meaning]) => isDefiniteMeaning(meaning)).map(([code]) => code)).toEqual([]);
      },
    },
  ],
};

const documentedRefusals: Rule = {
  id: 'EX-13',
  title: `a contract with submissions has at least ${REFUSALS_MIN} refusals, and every definite refusal of the error map`,
  checks: ({ contract, contract: { refusals, unlisted: others }, declaration: { errors, spec } }) => [
    {
      name: `${refusals.length} refusals, with an example of every grade in the error map`,
      run: async () => {
        const least = submissionsOf(contract).length > 0 ? REFUSALS_MIN : 1;
        expect(new Set(refusals.map(({ name }) => name)).size).toBeGreaterThanOrEqual(least);
        expect(others.length).toBeGreaterThan(0);
        // The rule EX-63 has the responses with these grades.
        const ofFailures = documentedFailures(spec.id).map(({ name }) => GRADES_OF_FAILURES.get(name));
        const grades = new Set<string | undefined>([...refusals.map(({ grade }) => grade), ...ofFailures]);
        const used = meaningsIn(errors).map(([, { grade }]) => grade);
        expect(used.filter((grade) => !grades.has(grade))).toEqual([]);
      },
    },
    {
      name: 'every definite refusal of the error map',
      run: async () => {
        const shown = new Set(
          refusals.flatMap(({ reply }) => errors.errorsIn(parseBody(reply.body))).map(({ code }) => code),
        );
        const definite = meaningsIn(errors).filter(([, meaning]) => isDefiniteMeaning(meaning));
        expect(definite.map(([code]) => code).filter((code) => !shown.has(code))).toEqual([]);
      },
    },
  ],
};

/** Reads the key information while the exchange sends `reply`, and returns the error of the read. */
async function failureOf({ declaration, contract }: Subject, reply: Reply): Promise<unknown> {
  let failure: unknown = null;
  await ContractBench.run({ declaration, contract }, async (bench) => {
    const session = await bench.open();
    bench.stub.answer({ [contract.keyInfo.route]: reply });
    failure = await session.keyInfo().catch((error: unknown) => error);
  });
  return failure;
}

const reads: Rule = {
  id: 'EX-14',
  title: 'a read fails with the meaning that the exchange documents for each refusal',
  checks: (subject) =>
    subject.contract.refusals
      .filter(({ of }) => of !== 'order')
      .map((refusal) => ({
        name: refusal.name,
        run: async () => {
          const { grade, code, reason } = refusal;
          const expected = {
            name: 'ExchangeError',
            kind: KINDS[grade],
            ...(code !== undefined && { code }),
            ...(reason !== undefined && { reason }),
          };
          expect(await failureOf(subject, refusal.reply)).toMatchObject(expected);
        },
      })),
};

const page = (status: number): Reply => ({ status, body: `<html>${status}</html>` });
const NO_EVIDENCE: readonly Reply[] = [
  { status: 401, body: '' },
  { status: 200, body: '' },
  { status: 200, body: '<html></html>' },
  { status: 302, body: '', headers: { location: '/' } },
];

const goodKeys: Rule = {
  id: 'EX-15',
  title: 'a read reports an invalid key only for a documented code, and every 5xx as unavailable',
  checks: (subject) => {
    const { refusals, unlisted: others } = subject.contract;
    const [refusal] = refusals.filter(({ grade }) => grade === 'refused');
    const credentials = refusals.filter(({ grade }) => grade === 'credentials');
    const fromGateways = [...(refusal === undefined ? [] : [refusal]), ...credentials].flatMap(({ reply }) =>
      ofGateways(subject.contract, [502, 500, 503, 504]).map((status) => ({ ...reply, status })),
    );
    const pages = [
      ...ofGateways(subject.contract, [403, 400, 401, 404, 407, 429]),
      ...ofGateways(subject.contract, [502, 500, 503]),
    ].map(page);
    return [...pages, ...NO_EVIDENCE, ...others, ...fromGateways].map((reply) => ({
      name: `${reply.status} ${reply.body.slice(0, 80)}`,
      run: async () => {
        const failure = await failureOf(subject, reply);
        expect(failure).toMatchObject({ name: 'ExchangeError' });
        expect(failure).not.toMatchObject({ kind: 'credentials_invalid' });
        if (reply.status >= 500) expect(failure).toMatchObject({ kind: 'unavailable' });
      },
    }));
  },
};

const pauses: Rule = {
  id: 'EX-16',
  title: 'after a read gets a 429 with Retry-After, no read is sent for the stated time',
  checks: ({ declaration, contract }): Check[] => [
    {
      name: 'for a minute',
      run: () =>
        ContractBench.run({ declaration, contract }, async (bench) => {
          const session = await bench.open();
          const { route } = contract.keyInfo;
          bench.stub.answer({ [route]: { status: 429, body: '', headers: { 'retry-after': '60' } } });
          await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'rate_limited' });
          await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'rate_limited', reason: 'own_limit' });
          expect(bench.stub.calls(route)).toHaveLength(1);
        }),
    },
  ],
};

const otherStatuses: Rule = {
  id: 'EX-45',
  title: 'a read fails when the status is neither 200 nor 201, whatever the body is',
  checks: (subject) =>
    [202, 203, 204, 206, 301, 302, 307, 402, 414].map((status) => ({
      name: String(status),
      run: async () => {
        const reply = { ...subject.contract.keyInfo.least.reply, status };
        expect(await failureOf(subject, reply)).toMatchObject({ name: 'ExchangeError', kind: 'unavailable' });
      },
    })),
};

export const refusalRules: readonly Rule[] = [
  refused,
  unlisted,
  repeats,
  documentedRefusals,
  reads,
  goodKeys,
  pauses,
  otherStatuses,
];
