import { Secret } from '#platform/crypto';
import { rightCodes } from '../exchange/challenges.js';
import type { Random } from './random.js';
import type { ExecuteInput } from './replicas.js';
import { isFinalRefusal, isGone, isPointless, type Reply } from './replies.js';

/** Maximum number of calls that a client makes for one quote before it gives up. */
const TRIES_MAX = 10;
const QUOTE_LIFE_MS = 300_000;
/** A late client executes its quote before or after the expiry, by at most one of these times. */
const AROUND_THE_END_MS = [500, 3_000, 10_000] as const;
/** Pause before a client checks whether its wallet exists again. */
const WALLET_PAUSE_MS = 120_000;
const WRONG_CODE = '000000';

/** A payment, and its current quote. */
export interface Payment {
  quoteId: string | null;
  isTagged: boolean;
  /** The number of new quotes that a client may still request. */
  quotesLeft: number;
}

/** The calls that a client can make, and the facts of the run that it needs. */
export interface ClientWorld {
  random: Random;
  externalWalletId: string;
  sleep: (ms: number) => Promise<void>;
  /** null = the wallet is deleted. */
  newQuote: () => Promise<string | null>;
  execute: (input: ExecuteInput) => Promise<Reply>;
  look: (quoteId: string) => Promise<void>;
  confirmFaces: () => void;
  /** Whether clients execute near the expiry of their quotes. */
  isLate: boolean;
}

type Codes = Pick<ExecuteInput, 'codes' | 'bizNo'>;

/**
 * A client that executes the quotes of a payment. It repeats calls after errors, after final responses, and long after
 * the expiry of a quote.
 */
export class Client {
  private codes: Codes = { codes: {} };

  constructor(
    private readonly payment: Payment,
    private readonly world: ClientWorld,
  ) {}

  async run(): Promise<void> {
    const { random } = this.world;
    await this.world.sleep(random.between(0, 5_000));
    for (let more = true; more;) {
      this.codes = { codes: {} };
      const quoteId = await this.quote();
      more = quoteId === null ? await this.waitForWallet() : await this.payAndGoOn(quoteId);
    }
  }

  /**
   * Executes a quote until there is a final response, in some runs near the expiry of the quote.
   * @returns whether the client continues with a new quote.
   */
  private async payAndGoOn(quoteId: string): Promise<boolean> {
    const { random } = this.world;
    if (this.world.isLate || random.chance(0.04)) {
      const around = random.pick(AROUND_THE_END_MS);
      await this.world.sleep(QUOTE_LIFE_MS + random.between(-around, around));
    }
    const reply = await this.pay(quoteId);
    const isOver = isFinalRefusal(reply) || isGone(reply);
    const more = isOver && this.payment.quotesLeft > 0 && random.chance(0.7);
    // After a final refusal the client asks for a new quote, unless another client of the payment has done so.
    if (more && this.payment.quoteId === quoteId) this.payment.quoteId = null;
    return more;
  }

  private async waitForWallet(): Promise<boolean> {
    await this.world.sleep(WALLET_PAUSE_MS);
    return this.payment.quotesLeft > 0;
  }

  private async quote(): Promise<string | null> {
    const { payment } = this;
    if (payment.quoteId === null) {
      payment.quotesLeft -= 1;
      payment.quoteId = await this.world.newQuote();
    }
    return payment.quoteId;
  }

  /** Repeats the call until there is a final response, or the limit of calls is reached. */
  private async pay(quoteId: string): Promise<Reply> {
    const { random, sleep } = this.world;
    let reply: Reply = { kind: 'lost' };
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      reply = await this.execute(quoteId, random.chance(0.1));
      if (isPointless(reply)) return reply;
      if (reply.kind === 'ok' || isFinalRefusal(reply)) {
        await this.repeat(quoteId);
        return reply;
      }
      this.codes = this.answerTo(reply);
      if (random.chance(0.1)) await this.world.look(quoteId);
      await sleep(random.pick([0, 200, 3_000, 20_000]));
    }
    return reply;
  }

  private async repeat(quoteId: string): Promise<void> {
    const { random, sleep } = this.world;
    for (let times = random.pick([0, 0, 1, 2]); times > 0; times--) {
      await sleep(random.pick([0, 5_000, QUOTE_LIFE_MS + 10_000]));
      await this.execute(quoteId, random.chance(0.1));
    }
  }

  private execute(quoteId: string, dryRun: boolean): Promise<Reply> {
    const { random, externalWalletId } = this.world;
    const tag = this.payment.isTagged ? random.pick([undefined, '1', '1', '2']) : undefined;
    const input = { quoteId, externalWalletId, dryRun, autoDeleteIfInvalid: random.chance(0.5), ...this.codes };
    return this.world.execute(tag === undefined ? input : { ...input, tag });
  }

  /** Returns the codes to send with the next call. */
  private answerTo(reply: Reply): Codes {
    if (reply.kind !== 'refused') return this.codes;
    if (reply.code === 'WITHDRAWAL_2FA_REQUIRED_TOTP' || reply.code === 'WITHDRAWAL_2FA_INVALID') {
      return { codes: { twofa: this.codeOf('GOOGLE') } };
    }
    const { bizNo } = reply.result;
    if (typeof bizNo !== 'string') return { codes: {} };
    return this.answerToChallenge(bizNo, reply.result['steps'] as { type: string; status: string }[]);
  }

  private answerToChallenge(bizNo: string, steps: { type: string; status: string }[]): Codes {
    const { random, confirmFaces } = this.world;
    const codes: Codes['codes'] = {};
    for (const { type } of steps.filter(({ status }) => status !== 'success')) {
      if (random.chance(0.3)) continue;
      if (type === 'FACE') confirmFaces();
      if (type === 'GOOGLE') codes.twofa = this.codeOf(type);
      if (type === 'EMAIL') codes.emailCode = this.codeOf(type);
      if (type === 'SMS') codes.smsCode = this.codeOf(type);
    }
    return { bizNo, codes };
  }

  private codeOf(method: string): Secret {
    return new Secret(this.world.random.chance(0.15) ? WRONG_CODE : (rightCodes[method] ?? WRONG_CODE));
  }
}
