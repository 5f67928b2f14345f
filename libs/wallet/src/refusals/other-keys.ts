import { Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock';
import { CannotOpen, KeysUnavailable } from '#platform/crypto';
import { Database } from '#platform/database';
import { WalletCredentials, type WalletTarget } from '../credentials/wallet-credentials.service.js';
import { WalletNotFound } from '../wallets/wallet.errors.js';
import type { OtherKeys as Verdict, RefusalSeries } from './refusal-rules.js';

/** Maximum number of other wallets that are compared. The wallets with the newest responses are compared first. */
const WALLETS_MAX = 20;
/** Maximum number of other wallets that are refreshed early, so that their keys can be compared. */
const ASKED_MAX = 3;

interface OtherWallet {
  id: string;
  isFlagged: boolean;
  /** Whether refusals of this wallet's key count towards its deletion. */
  isRefused: boolean;
  /** The last time that the exchange accepted this wallet's key; null = never. */
  acceptedAt: Date | null;
}

type Answer = 'accepted' | 'refused' | 'silent';

/**
 * Compares a refused key with the other keys of this installation, by the responses to their background refreshes.
 * Wallets with the same API key count as one key, and wallets with the refused key do not count.
 */
@Injectable()
export class OtherKeys {
  constructor(
    private readonly db: Database,
    private readonly credentials: WalletCredentials,
    private readonly clock: Clock,
  ) {}

  /**
   * Compares the exchange's responses to the other keys since the last counted refusal of `target`. Leaves out keys
   * whose refusals began long before those of `target`, because they do not show whether there is an outage now.
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
    // The exchange has accepted this key for another wallet, so the refusals of the key prove nothing.
    if (answers.get(own) === 'accepted') return 'silent';
    answers.delete(own);
    const verdict = verdictOf([...answers.values()]);
    // When the list has as many wallets as the limit allows, a wallet outside the list may have another key.
    return verdict === 'none' && wallets.length === WALLETS_MAX ? 'silent' : verdict;
  }

  /** Makes some other wallets due for a refresh, so that the next check has responses to compare. */
  async askSoon({ walletId, exchange, mode }: WalletTarget): Promise<void> {
    await this.db.query(
      `update wallets set next_sync_at = $4
        where id in (select w.id from wallets w join projects p on p.id = w.project_id
                      where w.exchange = $1 and p.mode = $2 and w.id <> $3 and w.deleted_at is null
                        and p.suspended_at is null and p.deleted_at is null
                        and not w.invalid_api and w.sync_failures = 0 and w.next_sync_at > $4
                      order by w.next_sync_at limit $5 for no key update of w skip locked)`,
      [exchange, mode, walletId, this.clock.now(), ASKED_MAX],
    );
  }

  private list({ walletId, exchange, mode }: WalletTarget, refusedAfter: Date): Promise<OtherWallet[]> {
    return this.db.query(
      `select w.id, w.invalid_api as "isFlagged", r.refused_since is not null as "isRefused", w.last_sync_at as "acceptedAt"
         from wallets w join projects p on p.id = w.project_id left join credential_refusals r on r.wallet_id = w.id
        where w.exchange = $1 and p.mode = $2 and w.id <> $3 and w.deleted_at is null
          and p.suspended_at is null and p.deleted_at is null
          and (not w.invalid_api or (r.wallet_id is not null and (r.refused_since is null or r.refused_since > $4)))
        order by greatest(w.last_sync_at, r.last_refused_at) desc nulls last
        limit $5`,
      [exchange, mode, walletId, refusedAfter, WALLETS_MAX],
    );
  }

  /**
   * Returns the exchange's response to each key. When several wallets have the same key, the response is `refused` if
   * any of them was refused, and otherwise `accepted` if any of them was accepted.
   */
  private async answersByKey(wallets: readonly OtherWallet[], since: Date): Promise<Map<string, Answer>> {
    const answers = new Map<string, Answer>();
    for (const wallet of wallets) {
      const key = await this.keyOf(wallet);
      // An unreadable key may equal any other key, so the response to it is not compared.
      const answer = key === null ? 'silent' : answerOf(wallet, since);
      const known = answers.get(key ?? wallet.id);
      if (known === undefined || known === 'silent' || answer === 'refused') answers.set(key ?? wallet.id, answer);
    }
    return answers;
  }

  /** Returns the wallet's API key; null = the credentials cannot be opened, or the wallet was just deleted. */
  private async keyOf({ id }: OtherWallet): Promise<string | null> {
    try {
      const { credentials } = await this.credentials.target(id, { deletedToo: false });
      return credentials.apiKey.reveal();
    } catch (error) {
      const isUnreadable = error instanceof CannotOpen || error instanceof KeysUnavailable;
      if (isUnreadable || error instanceof WalletNotFound) return null;
      throw error;
    }
  }
}

function answerOf({ isFlagged, isRefused, acceptedAt }: OtherWallet, since: Date): Answer {
  if (isFlagged) return isRefused ? 'refused' : 'silent';
  return acceptedAt !== null && acceptedAt > since ? 'accepted' : 'silent';
}

function verdictOf(answers: Answer[]): Verdict {
  const count = (answer: Answer): number => answers.filter((one) => one === answer).length;
  if (count('accepted') > count('refused')) return 'accepted';
  if (count('refused') > 0) return 'refused';
  return answers.length > 0 ? 'silent' : 'none';
}
