import { v7 } from 'uuid';
import type { ProjectIdentity, ProjectMode } from '#access';
import { ExchangeError, type ExchangeErrorKind, type SessionTarget } from '#exchange';
import { testOverrides, type TestOverrides } from '#platform/config';
import { Secret } from '#platform/crypto';
import { OtherKeys } from '../refusals/other-keys.js';
import { RecheckWallet } from '../refusals/recheck-wallet.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import type { Wallet } from '../wallets/wallet.entity.js';
import { WalletInvalidCredentials } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';
import { connectedWallet } from './connected-wallet.js';
import { holdCredentials } from './replace-credentials.js';
import { ScriptedExchanges } from './scripted-exchanges.js';
import { createWalletHarness, type WalletHarness, type WalletHarnessOptions } from './wallet-harness.js';

/**
 * The response of the exchange to every call with one key. `revoked` is a refusal with the code that the exchange uses
 * only for revoked keys.
 */
export type KeyAnswer = 'ok' | 'revoked' | 'invalid_signature' | ExchangeErrorKind;

export type WalletState = 'valid' | 'flagged' | 'deleted';

export interface RefusalRow {
  refused_since: Date | null;
  refusals: number;
  checks: number;
  deletion_wanted: boolean;
  next_check_at: Date;
}

export const LEASE_MS = 8_000;
const WORKER_LATE_MS = 1_000;

/** Wallets at an exchange that accepts or refuses each key as the test sets it, and the worker that checks them. */
export class RefusalHarness {
  readonly answers = new Map<string, KeyAnswer>();
  /** Called before each response. */
  onAsked: (target: SessionTarget) => void | Promise<void> = () => undefined;
  private keys = 0;

  private constructor(readonly harness: WalletHarness) {}

  static async create({
    beside,
    overrides,
    imports = [],
    providers = [],
  }: Omit<WalletHarnessOptions, 'beside' | 'settings'> & {
    beside?: RefusalHarness;
    overrides?: TestOverrides;
  } = {}): Promise<RefusalHarness> {
    const harness = await createWalletHarness({
      imports,
      providers: [OtherKeys, RecheckWallet, ...providers],
      settings: testOverrides({ QUEUE_LEASE_MS: LEASE_MS, ...overrides }),
      ...(beside && { beside: beside.harness }),
    });
    return new RefusalHarness(harness);
  }

  /** Deletes all wallets and resets the responses of the exchange. */
  async begin(mode: ProjectMode = 'live'): Promise<ProjectIdentity> {
    await this.harness.db.query(`update wallets set deleted_at = now() where deleted_at is null`);
    await this.harness.db.query(`delete from credential_refusals`);
    this.answers.clear();
    this.onAsked = () => undefined;
    this.harness.exchanges.reset();
    const { keyInfo } = new ScriptedExchanges();
    this.harness.exchanges.keyInfo = async (target) => {
      await this.onAsked(target);
      this.answer(target.credentials.apiKey.reveal());
      return keyInfo(target);
    };
    this.harness.exchanges.balances = async (target) => {
      await this.onAsked(target);
      return this.answer(target.credentials.apiKey.reveal());
    };
    return this.harness.project(mode);
  }

  /** Connects a wallet; without `key` the wallet gets a new key. */
  connect(project: ProjectIdentity, { key = `key-${++this.keys}`, exchange = 'kraken' } = {}): Promise<Wallet> {
    const credentials = { apiKey: new Secret(key), apiSecret: new Secret('secret') };
    const { db, vault, clock } = this.harness;
    return connectedWallet(db, project, { vault, credentials, exchange, createdAt: clock.now() });
  }

  /** The newest key that `connect` has generated. */
  get lastKey(): string {
    return `key-${this.keys}`;
  }

  /**
   * Makes a call as a user does.
   * @returns the `result` of WALLET_INVALID_CREDENTIALS; null = the call succeeded.
   */
  async call(
    wallet: Pick<Wallet, 'id'>,
    autoDelete = true,
  ): Promise<{ walletDeleted: boolean; deletionAt: string | null } | null> {
    try {
      await this.harness.get(WalletBalances).refresh(wallet, { autoDelete });
      return null;
    } catch (error) {
      if (!(error instanceof WalletInvalidCredentials)) throw error;
      return error.details.result as { walletDeleted: boolean; deletionAt: string | null };
    }
  }

  /**
   * Advances the clock until the wallet is due, and lets the worker check the wallet one second later. At the exact
   * time, the worker might find that the wallet is not due yet, because readings of the database's clock are inexact.
   * @returns how many milliseconds it took until the wallet was due.
   */
  async check(wallet: Pick<Wallet, 'id'>): Promise<number> {
    const row = await this.rowOf(wallet);
    const { clock } = this.harness;
    const waitMs = Math.max(0, (row?.next_check_at.getTime() ?? 0) - clock.now().getTime());
    clock.advance(waitMs + WORKER_LATE_MS);
    await this.harness.get(RecheckWallet).execute(wallet.id);
    return waitMs;
  }

  /**
   * Checks until the wallet is deleted or `ms` are over.
   * @returns how many milliseconds have passed.
   */
  async checkFor(
    wallet: Wallet,
    ms: number,
    beforeCheck: () => Promise<unknown> = async () => undefined,
  ): Promise<number> {
    const { clock } = this.harness;
    const begin = clock.now().getTime();
    const passed = (): number => clock.now().getTime() - begin;
    for (;;) {
      const row = await this.rowOf(wallet);
      if (row === null || row.next_check_at.getTime() - begin > ms) return passed();
      await beforeCheck();
      await this.check(wallet);
    }
  }

  /**
   * Holds the credentials of the wallet, as an unresolved withdrawal does.
   * @returns the id of the holder.
   */
  async hold(wallet: Pick<Wallet, 'id'>): Promise<string> {
    const holder = v7();
    await holdCredentials(this.harness, wallet, holder);
    return holder;
  }

  release(wallet: Pick<Wallet, 'id'>, holder: string): Promise<void> {
    return this.harness.db.transaction((tx) => this.harness.get(Wallets).release(tx, wallet.id, holder));
  }

  async rowOf(wallet: Pick<Wallet, 'id'>): Promise<RefusalRow | null> {
    const [row] = await this.harness.db.query<RefusalRow>(`select * from credential_refusals where wallet_id = $1`, [
      wallet.id,
    ]);
    return row ?? null;
  }

  async stateOf(wallet: Pick<Wallet, 'id'>): Promise<WalletState> {
    const [row] = await this.harness.db.query<{ state: WalletState }>(
      `select case when deleted_at is not null then 'deleted' when invalid_api then 'flagged' else 'valid' end as state
         from wallets where id = $1`,
      [wallet.id],
    );
    if (row === undefined) throw new Error('the wallet does not exist');
    return row.state;
  }

  async eventsOf({ externalId: externalWalletId, projectId }: Wallet): Promise<string[]> {
    const rows = await this.harness.db.query<{ type: string }>(
      `select type from events where project_id = $1 and subject = $2 order by id`,
      [projectId, externalWalletId],
    );
    return rows.map(({ type }) => type);
  }

  /** @throws ExchangeError unless the exchange accepts the key. */
  answer(key: string): [] {
    const answer = this.answers.get(key) ?? 'ok';
    if (answer === 'ok') return [];
    const isInvalid = answer === 'revoked' || answer === 'invalid_signature';
    const kind = isInvalid ? 'credentials_invalid' : answer;
    throw new ExchangeError(kind, 'kraken', `scripted ${answer}`, isInvalid ? { reason: answer } : {});
  }
}
