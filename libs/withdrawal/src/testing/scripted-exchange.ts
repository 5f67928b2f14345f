import { isDeepStrictEqual } from 'node:util';
import {
  ExchangeError,
  type ExchangeErrorKind,
  type AccountMovement,
  type AssetBalance,
  type Exchanges,
  type ExchangeSession,
  type ExchangeWithdrawal,
  type PreparedWithdrawal,
  type QuotedWithdrawal,
  type SessionTarget,
  type SoughtWithdrawal,
  type SubmitOptions,
  type SubmitOutcome,
  type WithdrawalCapability,
  type SubmissionClass,
  type WithdrawalEstimate,
  type WithdrawalInstruction,
  type WithdrawalList,
  type WithdrawalNetwork,
} from '#exchange';
import { Amount } from '#money';
import type { ManualClock } from '#platform/testing';
import { ScriptedChallenges } from './scripted-challenges.js';
import { assertOutsideTransaction } from '#platform/database';

/** The outcome that a test chooses for one of the next submissions. All further submissions are accepted. */
export type SubmitScript =
  | 'accept'
  /** The exchange executes the withdrawal, but the connection breaks before the response. */
  | 'answer_lost'
  /** The connection breaks before the exchange executes the withdrawal. */
  | 'request_lost'
  /** The exchange refuses definitely. */
  | 'refuse'
  /** The exchange limits the rate. */
  | 'pause'
  /** Nothing is sent, because a pause that the exchange demanded lasts for 47.5 seconds more. */
  | 'paused'
  /** The exchange asks for a code. */
  | 'verify'
  /** Nothing is sent. */
  | 'not_sent'
  /** The connector breaks the rule that `submit` never throws: it throws after it has sent the request. */
  | 'throw_after_send';

interface ExchangeRecord extends ExchangeWithdrawal {
  request: Record<string, string>;
  /** Our reference, which the list of withdrawals shows with the record. */
  clientRef?: string;
}

/** An exchange inside the test. Its ledger shows what has really moved. */
export class ScriptedExchange implements Pick<Exchanges, 'open' | 'openFresh' | 'find' | 'specs'> {
  readonly ledger: ExchangeRecord[] = [];
  /** Versions of credentials that open another account. Its records are in `otherLedger`. */
  readonly otherAccounts = new Set<string>();
  /** The records of the other account. */
  readonly otherLedger: ExchangeRecord[] = [];
  /** Maximum number of withdrawals in a list. */
  listsAtMost = Infinity;
  /** Movements of the account as its ledger lists them, newest first; null = the exchange lists none. */
  movements: AccountMovement[] | null = null;
  /** The error of every read of the movements; null = the read succeeds. */
  refusesMovements: ExchangeErrorKind | null = null;
  script: SubmitScript[] = [];
  exchangeClass: SubmissionClass = 'by_match';
  mayChangeReference: true | undefined;
  /** Whether the exchange keeps our references, and searches its records by them. */
  keepsReferences = false;
  /** The id that the exchange gives for the next withdrawals in place of the id of the record; null = no wrong one. */
  wrongId: string | null = null;
  submissions = 0;
  isDown = false;
  /** The error of every read; null = reads succeed. */
  refuses: ExchangeErrorKind | null = null;
  /** Every read awaits this hook, so that a test can delay the read or let time pass. */
  onRead: () => void | Promise<void> = () => undefined;
  /** Every read of the balances awaits this hook first. */
  onBalances: () => void | Promise<void> = () => undefined;
  asksInParallel = false;
  /** true: the history does not show the newest record. */
  isLagging = false;
  /** The free balance. */
  balance = Amount.of('10');
  /** The part of the free balance that can be withdrawn; undefined = all of it. */
  withdrawable: Amount | undefined;
  /** The part of the balance that is in use. */
  used = Amount.zero;
  fee = Amount.of('0.0001');
  /** Replaces members of the next estimates. */
  estimated: Partial<WithdrawalEstimate> = {};
  refusesEstimates = false;
  hasWithdrawals = true;
  networks: WithdrawalNetwork[] = [network('BTC', 'bitcoin', '^bc1[02-9ac-hj-np-z]{11,71}$', null)];
  /** When the session read its cached networks; null = now. */
  networksReadAt: Date | null = null;
  /** Called when a submission has arrived. */
  onSubmission: () => void = () => undefined;
  /** The exchange awaits this promise before it decides about a submission, so that a test can delay the decision. */
  gate: Promise<void> = Promise.resolve();

  /** The required verification; nothing is required before `require` is called. */
  readonly challenges: ScriptedChallenges;

  constructor(private readonly clock: ManualClock) {
    this.challenges = new ScriptedChallenges(clock, () => {
      this.throwIfDown();
    });
  }

  /** Resets all records and scripts. */
  reset(): void {
    this.ledger.length = 0;
    this.otherLedger.length = 0;
    this.otherAccounts.clear();
    Object.assign(this, {
      movements: null,
      refusesMovements: null,
      script: [],
      submissions: 0,
      isDown: false,
      refuses: null,
      isLagging: false,
      listsAtMost: Infinity,
      balance: Amount.of('10'),
      used: Amount.zero,
      gate: Promise.resolve(),
      exchangeClass: 'by_match',
      mayChangeReference: undefined,
      withdrawable: undefined,
      keepsReferences: false,
      wrongId: null,
      onRead: () => undefined,
      onBalances: () => undefined,
      onSubmission: () => undefined,
      asksInParallel: false,
    });
  }

  specs(): [] {
    return [];
  }

  find(): null {
    return null;
  }

  openFresh(target: SessionTarget): Promise<ExchangeSession> {
    return this.open(target);
  }

  open({ credentialId }: SessionTarget): Promise<ExchangeSession> {
    assertOutsideTransaction('opening a session');
    const isOther = this.otherAccounts.has(credentialId.split(':')[1] ?? '');
    const ledger = isOther ? this.otherLedger : this.ledger;
    return Promise.resolve({
      exchange: 'kraken',
      connectorVersion: 'scripted 1',
      asksInParallel: this.asksInParallel,
      balances: async () => {
        await this.onBalances();
        return this.read(() => this.balances());
      },
      keyInfo: () => Promise.reject(new Error('this test exchange has no facts about keys')),
      assetNames: () => Promise.resolve(this.networks.map(({ asset: code }) => ({ code, aliases: [] }))),
      withdrawals: this.hasWithdrawals ? this.withdrawals(ledger) : undefined,
    });
  }

  private withdrawals(ledger: ExchangeRecord[]): WithdrawalCapability {
    const { movements } = this;
    return {
      class: this.exchangeClass,
      mayChangeReference: this.mayChangeReference,
      methods: ['GOOGLE'],
      verification: this.challenges.isRequired ? this.challenges : undefined,
      networks: (asset) => this.read(() => this.networks.filter((n) => asset === undefined || n.asset === asset)),
      datedNetworks: () =>
        this.read(() => ({ networks: this.networks, readAt: this.networksReadAt ?? this.clock.trueNow() })),
      estimate: (quoted) => this.read(() => this.estimate(quoted)),
      prepare: (instruction) => this.read(() => prepare(instruction, this.keepsReferences)),
      submit: (prepared, options) => this.submit(prepared, options, ledger),
      find: (sought) => this.read(() => this.findLike(sought, ledger)),
      list: (since) => this.read(() => this.listed(since, ledger)),
      ...(movements !== null && { movements: () => this.read(() => this.listedMovements()) }),
    };
  }

  /** Books a withdrawal as if the owner had made it at the exchange itself. */
  book(request: Record<string, string>, ledger = this.ledger): ExchangeRecord {
    const record: ExchangeRecord = {
      exchangeId: `X${this.ledger.length + this.otherLedger.length + 1}`,
      status: 'pending',
      rawStatus: 'Initial',
      hash: null,
      amountNoFee: null,
      fee: null,
      at: this.clock.trueNow(),
      isCertain: true,
      request,
    };
    ledger.push(record);
    return record;
  }

  private estimate({ asset, amount, includeFee }: QuotedWithdrawal): WithdrawalEstimate {
    if (this.refusesEstimates) {
      const code = 'WITHDRAWAL_INVALID_ADDRESS';
      throw new ExchangeError('refused', 'kraken', 'scripted refusal', { code });
    }
    const amountWithFee = includeFee ? amount : amount.plus(this.fee);
    return {
      amountNoFee: amountWithFee.minus(this.fee),
      fee: this.fee,
      amountWithFee,
      feeDetails: [{ category: 'exchange_withdrawal_fee', currency: asset, amount: this.fee }],
      minWithdrawal: Amount.of('0.001'),
      maxWithdrawal: Amount.of('100'),
      requirements: [],
      expiresAt: null,
      ...this.estimated,
    };
  }

  private balances(): AssetBalance[] {
    const { balance: free, used, withdrawable } = this;
    return [{ asset: 'BTC', free, used, total: free.plus(used), withdrawable }];
  }

  private async read<T>(answer: () => T): Promise<T> {
    assertOutsideTransaction('calling an exchange');
    await Promise.resolve();
    await this.onRead();
    this.throwIfDown();
    return answer();
  }

  private throwIfDown(): void {
    if (this.isDown) throw new ExchangeError('unavailable', 'kraken', 'scripted outage');
    if (this.refuses !== null) throw new ExchangeError(this.refuses, 'kraken', 'scripted refusal');
  }

  private findLike(
    { exchangeId, notBefore, request, clientRef }: SoughtWithdrawal,
    ledger: ExchangeRecord[],
  ): ExchangeWithdrawal[] {
    const recent = this.shown(ledger).filter((record) => record.at >= notBefore);
    if (exchangeId !== null) return recent.filter((record) => record.exchangeId === exchangeId);
    if (this.keepsReferences) return recent.filter((record) => record.clientRef === clientRef);
    return recent.filter((record) => isDeepStrictEqual(record.request, request));
  }

  private listedMovements(): AccountMovement[] {
    if (this.refusesMovements !== null) throw new ExchangeError(this.refusesMovements, 'kraken', 'scripted refusal');
    return this.movements ?? [];
  }

  private shown(ledger: ExchangeRecord[]): ExchangeRecord[] {
    return this.isLagging ? ledger.slice(0, -1) : ledger;
  }

  private listed(since: Date, ledger: ExchangeRecord[]): WithdrawalList {
    const shown = this.shown(ledger).filter(({ at }) => at >= since);
    const records = shown.map(({ request, clientRef = null, isCertain: _certain, isOnlyAlike: _alike, ...record }) => {
      const { asset = '', address = null, amount = '' } = request;
      const fee = record.fee ?? this.fee;
      return { ...record, fee, clientRef, asset, address, amountNoFee: Amount.of(amount).minus(fee) };
    });
    // A list that is cut has the newest records.
    return { records: records.slice(-this.listsAtMost), isComplete: records.length <= this.listsAtMost };
  }

  private async submit(
    prepared: PreparedWithdrawal,
    options: SubmitOptions,
    ledger: ExchangeRecord[],
  ): Promise<SubmitOutcome> {
    assertOutsideTransaction('calling an exchange');
    const script = this.script.shift() ?? 'accept';
    if (script === 'not_sent') return { kind: 'not_sent', reason: 'connection refused' };
    if (script === 'paused') return { kind: 'not_sent', reason: 'own limit', retryAfterMs: 47_500 };
    try {
      options.beforeSend();
    } catch {
      return { kind: 'not_sent', reason: 'too late' };
    }
    this.submissions += 1;
    this.onSubmission();
    await this.gate;
    const unverified = this.challenges.refusalOf(options.proof);
    if (unverified !== null) return unverified;
    if (script === 'refuse') {
      const rawCode = 'EFunding:Invalid amount';
      return { kind: 'rejected', code: 'WITHDRAWAL_AMOUNT_BELOW_MINIMUM', rawCode, answer: { error: [rawCode] } };
    }
    if (script === 'pause') {
      const rawCode = 'EAPI:Rate limit exceeded';
      return { kind: 'rejected', code: 'WITHDRAWAL_RATE_LIMIT_EXCEEDED', rawCode, answer: { error: [rawCode] } };
    }
    if (script === 'verify') {
      const rawCode = 'EAPI:OTP required';
      return { kind: 'verification_required', code: 'WITHDRAWAL_2FA_REQUIRED_TOTP', rawCode, answer: {} };
    }
    if (script === 'request_lost') return { kind: 'unknown', reason: 'connection reset', answer: {} };
    const record = this.book(prepared.request, ledger);
    if (prepared.clientRef !== null) record.clientRef = prepared.clientRef;
    const exchangeId = this.wrongId ?? record.exchangeId;
    if (script === 'answer_lost') return { kind: 'unknown', reason: 'connection reset', answer: {} };
    if (script === 'throw_after_send') throw new Error('a connector must not do this');
    return { kind: 'accepted', exchangeId, answer: { refid: exchangeId, text: 'NUL \0, half \ud800' } };
  }
}

/** A network for `asset`, with bounds that tests can reach. */
export function network(
  asset: string,
  id: string,
  addressRegex: string,
  tagType: WithdrawalNetwork['tagType'],
): WithdrawalNetwork {
  return {
    asset,
    id,
    name: id,
    displayName: id,
    assetName: asset,
    exchangeNetworkId: id,
    chainId: null,
    tokenAddress: null,
    addressRegex,
    tagType,
    decimals: 8,
    minWithdrawal: Amount.of('0.001'),
    maxWithdrawal: Amount.of('100'),
    fee: Amount.of('0.0001'),
    feeAsset: asset,
  };
}

function prepare(
  { asset, address, amountWithFee, clientRef }: WithdrawalInstruction,
  keepsReferences: boolean,
): PreparedWithdrawal {
  const request = { asset, address, amount: amountWithFee.toString() };
  return { request, clientRef: keepsReferences ? clientRef : null, submissionDeadline: null };
}
