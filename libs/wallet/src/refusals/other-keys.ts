import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { CannotOpen } from '#platform/crypto';
import { Database } from '#platform/database';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import type { OtherKeys as Verdict, RefusalSeries } from './refusal-rules.js';

/** How many other wallets are looked at, those with the newest answer first. */
const WALLETS_MAX = 20;
/** How many other wallets are refreshed early, so that their answers can be compared. */
const ASKED_MAX = 3;

interface OtherWallet {
  id: string;
  isMarked: boolean;
  /** Whether a refusal of its key counts towards its own deletion. */
  isRefused: boolean;
  /** When its key was accepted last; null = never. */
  acceptedAt: Date | null;
}

type Answer = 'accepted' | 'refused' | 'silent';

/**
 * What the exchange says to other keys of this installation, as the background refreshes have found it. Several wallets can
 * have one API key, which counts once; the key in question is no other key.
 */
@Injectable()
export class OtherKeys {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly clock: Clock,
  ) {}

  /**
   * Judges by the answers since the last refusal of `target` that counts. Keys that were refused long before it tell
   * nothing: they count neither as other keys nor as an outage.
   */
  async judge(
    target: WalletTarget,
    { refusedSince, lastRefusedAt }: Pick<RefusalSeries, 'refusedSince' | 'lastRefusedAt'>,
    { deleteAfterMs }: { deleteAfterMs: number },
  ): Promise<Verdict> {
    if (refusedSince === null || lastRefusedAt === null) return 'silent';
    const refusedAfter = new Date(refusedSince.getTime() - deleteAfterMs);
    const wallets = await this.list(target, refusedAfter);
    const answers = await this.answersByKey(wallets, lastRefusedAt);
    const own = target.credentials.apiKey.reveal();
    // The exchange has accepted this very key elsewhere.
    if (answers.get(own) === 'accepted') return 'silent';
    answers.delete(own);
    const verdict = verdictOf([...answers.values()]);
    // There may be another key among those that were not looked at.
    return verdict === 'none' && wallets.length === WALLETS_MAX ? 'silent' : verdict;
  }

  /** Lets some other wallets be refreshed now, so that the next check has answers to compare with. */
  async askSoon({ walletId, exchange, mode }: WalletTarget): Promise<void> {
    await this.db.query(
      `update wallets set next_sync_at = $4
        where id in (select w.id from wallets w join projects p on p.id = w.project_id
                      where w.exchange = $1 and p.mode = $2 and w.id <> $3 and w.deleted_at is null
                        and not w.invalid_api and w.sync_failures = 0 and w.next_sync_at > $4
                      order by w.next_sync_at limit $5 for no key update of w skip locked)`,
      [exchange, mode, walletId, this.clock.now(), ASKED_MAX],
    );
  }

  private list({ walletId, exchange, mode }: WalletTarget, refusedAfter: Date): Promise<OtherWallet[]> {
    return this.db.query(
      `select w.id, w.invalid_api as "isMarked", r.refused_since is not null as "isRefused", w.last_sync_at as "acceptedAt"
         from wallets w join projects p on p.id = w.project_id left join credential_refusals r on r.wallet_id = w.id
        where w.exchange = $1 and p.mode = $2 and w.id <> $3 and w.deleted_at is null
          and (not w.invalid_api or (r.wallet_id is not null and (r.refused_since is null or r.refused_since > $4)))
        order by greatest(w.last_sync_at, r.last_refused_at) desc nulls last
        limit $5`,
      [exchange, mode, walletId, refusedAfter, WALLETS_MAX],
    );
  }

  /** Of several wallets with one key, a refusal counts before an acceptance, and any answer before none. */
  private async answersByKey(wallets: readonly OtherWallet[], since: Date): Promise<Map<string, Answer>> {
    const answers = new Map<string, Answer>();
    for (const wallet of wallets) {
      const key = await this.keyOf(wallet);
      // A key that cannot be read may be any key, so its answer tells nothing.
      const answer = key === null ? 'silent' : answerOf(wallet, since);
      const known = answers.get(key ?? wallet.id);
      if (known === undefined || known === 'silent' || answer === 'refused') answers.set(key ?? wallet.id, answer);
    }
    return answers;
  }

  /** null = the credentials cannot be opened, or the wallet was deleted a moment ago. */
  private async keyOf({ id }: OtherWallet): Promise<string | null> {
    try {
      const { credentials } = await this.credentials.target(id, { deletedToo: false });
      return credentials.apiKey.reveal();
    } catch (error) {
      if (error instanceof WalletNotFound || error instanceof CannotOpen) return null;
      throw error;
    }
  }
}

function answerOf({ isMarked, isRefused, acceptedAt }: OtherWallet, since: Date): Answer {
  if (isMarked) return isRefused ? 'refused' : 'silent';
  return acceptedAt !== null && acceptedAt > since ? 'accepted' : 'silent';
}

function verdictOf(answers: Answer[]): Verdict {
  const count = (answer: Answer): number => answers.filter((one) => one === answer).length;
  if (count('accepted') > count('refused')) return 'accepted';
  if (count('refused') > 0) return 'refused';
  return answers.length > 0 ? 'silent' : 'none';
}
