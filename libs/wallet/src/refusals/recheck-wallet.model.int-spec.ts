import fc from 'fast-check';
import { v7 } from 'uuid';
import type { ProjectIdentity } from '#access';
import { DAY_MS } from '#platform/clock';
import { Secret } from '#platform/crypto';
import { ConnectWallet } from '../connecting/connect-wallet.js';
import { PingWallet } from '../sessions/ping-wallet.js';
import { RefusalHarness, type KeyAnswer } from '../testing/refusal-harness.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { RecheckWallet } from './recheck-wallet.js';

const HOUR_MS = 3_600_000;
const RUNS = 60;

const answer: fc.Arbitrary<KeyAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('credentials_invalid' as const) },
  { weight: 2, arbitrary: fc.constant('ok' as const) },
  { weight: 1, arbitrary: fc.constantFrom('revoked' as const, 'invalid_signature' as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...(['unavailable', 'rate_limited', 'ip_not_allowed', 'permission_missing', 'refused'] as const),
    ),
  },
);
const actions = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), answer }) },
  // The responses to the next calls with the key, one after the other. The calls after these get the response of the
  // last action `answer`.
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('flicker' as const), answers: fc.array(answer, { maxLength: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('call' as const), autoDelete: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('checks' as const),
      count: fc.integer({ min: 1, max: 12 }),
      processes: fc.constantFrom(1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other' as const), answer }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, HOUR_MS, DAY_MS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('ping' as const, 'hold' as const, 'replace' as const, 'restart' as const),
    }),
  },
);
type Action = typeof actions extends fc.Arbitrary<infer A> ? A : never;
/** Most sequences begin with these actions, because few sequences without them lead to a deletion. */
const REFUSED: Action[] = [
  { kind: 'answer', answer: 'credentials_invalid' },
  { kind: 'call', autoDelete: true },
];
/** The other key has been refused for an hour when the refusals of the wallet's key begin. */
const OTHER_REFUSED_BEFORE: Action[] = [
  { kind: 'answer', answer: 'credentials_invalid' },
  { kind: 'other', answer: 'credentials_invalid' },
  { kind: 'checks', count: 1, processes: 1 },
  { kind: 'wait', ms: HOUR_MS },
  { kind: 'call', autoDelete: true },
  { kind: 'checks', count: 12, processes: 1 },
];
const sequences = fc
  .record({ isRefused: fc.boolean(), then: fc.array(actions, { minLength: 1, maxLength: 10 }) })
  .map(({ isRefused, then }) => [...(isRefused ? REFUSED : []), ...then]);

/** One call to the exchange, as the exchange saw it. */
interface Asked {
  key: string;
  answer: KeyAnswer;
  at: number;
  /** false: a call of a user, or a ping. */
  isCheck: boolean;
}

/** Two refused calls in a row. */
interface Refusal {
  at: number;
  isCheck: boolean;
  answers: KeyAnswer[];
}

/** Two refusals within this time count once, because two workers may check at once. */
const AT_ONCE_MS = 1_000;

const isRefusal = ({ answer }: Asked): boolean =>
  answer === 'credentials_invalid' || answer === 'revoked' || answer === 'invalid_signature';

/**
 * The events of one wallet as the exchange saw them. The test decides by these events, and not by the rows in our
 * database, whether the wallet may be flagged or deleted.
 */
class Story {
  readonly asked: Asked[] = [];
  key = '';
  otherKey: string | null = null;
  holder: string | null = null;
  /** Whether a call has requested the deletion since the wallet was last valid. */
  isWanted = false;
  /** The next responses to the key, one after the other. After these, every response is `lastingAnswer`. */
  flicker: KeyAnswer[] = [];
  lastingAnswer: KeyAnswer = 'ok';
  isChecking = false;

  get refusals(): Refusal[] {
    return this.refusalsOf(this.key);
  }

  /** The times since the last acceptance of a key at which it was refused twice in a row. */
  private refusalsOf(key: string): Refusal[] {
    const calls = this.asked.filter((asked) => asked.key === key);
    const since = calls.slice(calls.map(({ answer: said }) => said).lastIndexOf('ok') + 1);
    const pairs: Refusal[] = [];
    for (let index = 1; index < since.length; index++) {
      const [first, second] = [since[index - 1], since[index]];
      if (first === undefined || second === undefined || !isRefusal(first) || !isRefusal(second)) continue;
      pairs.push({ at: second.at, isCheck: second.isCheck, answers: [first.answer, second.answer] });
      index++;
    }
    return pairs;
  }

  /** The refusals that count towards a deletion: the first one, and one for each check after it. */
  get counted(): Refusal[] {
    const { refusals } = this;
    const doubtful = refusals.map(({ answers }) => answers.includes('invalid_signature')).lastIndexOf(true);
    const counted: Refusal[] = [];
    for (const refusal of refusals.slice(doubtful + 1)) {
      const before = counted.at(-1);
      if (before === undefined || (refusal.isCheck && refusal.at > before.at + AT_ONCE_MS)) counted.push(refusal);
    }
    return counted;
  }

  /** Returns why the wallet must not be deleted at this moment; null = it may be deleted. */
  objection(at: number): string | null {
    if (!this.isWanted) return 'no call wanted it';
    if (this.holder !== null) return 'its credentials were held';
    const isRevoked = this.refusals.at(-1)?.answers.every((said) => said === 'revoked') ?? false;
    return isRevoked ? null : this.objectionToInvalid(at);
  }

  private objectionToInvalid(at: number): string | null {
    const { counted } = this;
    const stoodMs = at - (counted[0]?.at ?? at);
    const compared = this.comparedKey(counted[0]?.at ?? at);
    const [least, leastMs] = compared === null ? [10, DAY_MS] : [3, HOUR_MS];
    if (counted.length < least || stoodMs < leastMs - AT_ONCE_MS) return `${counted.length} refusals in ${stoodMs} ms`;
    if (compared === null || this.acceptedAt(compared) >= (counted.at(-2)?.at ?? 0)) return null;
    return 'no other key was accepted since the refusal before';
  }

  /**
   * The other key; null = there is none, or its refusals began an hour or more before `refusedSince`. It then does not
   * show whether the exchange has an outage now.
   */
  private comparedKey(refusedSince: number): string | null {
    if (this.otherKey === null) return null;
    const [first] = this.refusalsOf(this.otherKey);
    return first !== undefined && first.at <= refusedSince - HOUR_MS + AT_ONCE_MS ? null : this.otherKey;
  }

  private acceptedAt(key: string): number {
    return this.asked.findLast((asked) => asked.key === key && asked.answer === 'ok')?.at ?? 0;
  }
}

describe('a wallet of a live project, with any responses of the exchange in any order', () => {
  let processes: [RefusalHarness, RefusalHarness];
  let current: RefusalHarness;
  let project: ProjectIdentity;
  let wallet: Wallet;
  let other: Wallet | null;
  let story: Story;

  beforeAll(async () => {
    const first = await RefusalHarness.create();
    processes = [first, await RefusalHarness.create({ beside: first })];
  });
  afterAll(async () => {
    for (const { harness } of [...processes].reverse()) await harness.close();
  });

  async function begin(hasOther: boolean): Promise<void> {
    [current] = processes;
    project = await current.begin();
    story = new Story();
    other = hasOther ? await current.connect(project) : null;
    if (hasOther) story.otherKey = current.lastKey;
    wallet = await current.connect(project);
    story.key = current.lastKey;
    const { answers, harness } = current;
    current.onAsked = ({ credentials }) => {
      const key = credentials.apiKey.reveal();
      if (key === story.key) answers.set(key, story.flicker.shift() ?? story.lastingAnswer);
      story.asked.push({
        key,
        answer: answers.get(key) ?? 'ok',
        at: harness.clock.now().getTime(),
        isCheck: story.isChecking,
      });
    };
  }

  /** Advances the clock until the wallet is due, and checks it in this many processes at once. */
  async function check(count: number): Promise<void> {
    const row = await current.rowOf(wallet);
    if (row === null) return;
    const { clock } = current.harness;
    clock.advance(Math.max(0, row.next_check_at.getTime() - clock.now().getTime()));
    story.isChecking = true;
    await Promise.all(processes.slice(0, count).map(({ harness }) => harness.get(RecheckWallet).execute(wallet.id)));
    story.isChecking = false;
  }

  /** Calls the exchange with the key of the other wallet, as a background refresh does. */
  const askOther = async (): Promise<unknown> =>
    other === null ? null : current.call(other, false).catch(() => undefined);

  async function act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'answer':
        story.lastingAnswer = action.answer;
        return;
      case 'flicker':
        story.flicker = [...action.answers];
        return;
      case 'other':
        if (story.otherKey !== null) processes[0].answers.set(story.otherKey, action.answer);
        return;
      case 'call':
        return call(action.autoDelete);
      case 'checks':
        for (let count = 0; count < action.count; count++) {
          await askOther();
          // While the response changes with each call, only one process checks, because the test could not know which
          // of two processes got which response.
          await check(story.flicker.length > 0 ? 1 : action.processes);
        }
        return;
      case 'wait':
        return current.harness.clock.advance(action.ms);
      default:
        return actSimply(action.kind);
    }
  }

  async function call(autoDelete: boolean): Promise<void> {
    const result = await current.call(wallet, autoDelete).catch(() => null);
    if (result !== null && autoDelete) story.isWanted = true;
  }

  async function actSimply(kind: 'ping' | 'hold' | 'replace' | 'restart'): Promise<void> {
    switch (kind) {
      case 'ping': {
        const ping = current.harness.get(PingWallet).execute(project, wallet.externalId);
        await ping.catch(() => undefined);
        return;
      }
      case 'hold':
        return toggleHold();
      case 'replace':
        return replace();
      case 'restart':
        current = current === processes[0] ? processes[1] : processes[0];
    }
  }

  async function toggleHold(): Promise<void> {
    if (story.holder === null) {
      story.holder = await current.hold(wallet);
    } else {
      await current.release(wallet, story.holder);
      story.holder = null;
    }
  }

  async function replace(): Promise<void> {
    const key = `replaced-${v7()}`;
    const { lastingAnswer } = story;
    story.lastingAnswer = 'ok';
    const credentials = { apiKey: new Secret(key), apiSecret: new Secret('secret') };
    const { externalId: externalWalletId, exchange } = wallet;
    await current.harness.get(ConnectWallet).execute(project, { externalWalletId, exchange, credentials });
    story.key = key;
    story.lastingAnswer = lastingAnswer;
    story.isWanted = false;
  }

  /**
   * Checks the state of the wallet after an action. A wallet may be deleted only when `Story.objection` is null, and
   * flagged only after two refused calls in a row.
   * @param before the state before the action.
   * @returns whether the wallet is deleted.
   */
  async function judge(before: string): Promise<boolean> {
    const state = await current.stateOf(wallet);
    if (state === 'deleted') {
      expect(story.objection(current.harness.clock.now().getTime())).toBeNull();
      return true;
    }
    if (state === 'valid') story.isWanted = false;
    if (state === 'flagged' && before === 'valid') expect(story.refusals.length).toBeGreaterThan(0);
    return false;
  }

  async function play(sequence: Action[]): Promise<boolean> {
    for (const action of sequence) {
      const before = await current.stateOf(wallet);
      await act(action);
      if (await judge(before)) return false;
    }
    return true;
  }

  it('is flagged only after two refused calls, deleted only when the deletion rules allow it, and valid once it is accepted', async () => {
    let deleted = 0;
    await fc.assert(
      fc.asyncProperty(sequences, fc.boolean(), async (sequence, hasOther) => {
        await begin(hasOther);
        if (!(await play(sequence))) {
          deleted++;
          return;
        }
        story.flicker = [];
        story.lastingAnswer = 'ok';
        await check(1);
        expect(await current.stateOf(wallet)).toBe('valid');
      }),
      { numRuns: RUNS, examples: [[OTHER_REFUSED_BEFORE, true]] },
    );
    // Without a deletion, this test has shown nothing.
    expect(deleted).toBeGreaterThan(0);
  }, 240_000);
});
