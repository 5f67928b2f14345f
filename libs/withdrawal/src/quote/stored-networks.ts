import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { WithdrawalNetwork } from '#exchange';
import { Amount } from '#money';
import { Database } from '#platform/database';
import type { Wallet } from '#wallet';

type AmountField = 'minWithdrawal' | 'maxWithdrawal' | 'fee';
type StoredNetwork = Omit<WithdrawalNetwork, AmountField> & Record<AmountField, string | null>;

/** On which networks a wallet could withdraw when its exchange was last asked: one row a wallet. */
@Injectable()
export class StoredNetworks {
  constructor(private readonly db: Database) {}

  /** Whatever their age. */
  async find({ id }: Pick<Wallet, 'id'>): Promise<{ networks: WithdrawalNetwork[]; fetchedAt: Date } | null> {
    const [row] = await this.db.query<{ networks: StoredNetwork[]; fetchedAt: Date }>(
      `select networks, fetched_at as "fetchedAt" from wallet_networks where wallet_id = $1`,
      [id],
    );
    return row === undefined ? null : { networks: row.networks.map(fromStored), fetchedAt: row.fetchedAt };
  }

  /** @param fetchedAt before the exchange was asked; the answer to an older question changes nothing. */
  async record({ id }: Pick<Wallet, 'id'>, networks: WithdrawalNetwork[], fetchedAt: Date): Promise<void> {
    const text = JSON.stringify(networks);
    const digest = createHash('sha256').update(text).digest();
    const confirmed = await this.db.query(
      `update wallet_networks set fetched_at = greatest(fetched_at, $3) where wallet_id = $1 and digest = $2
       returning wallet_id`,
      [id, digest, fetchedAt],
    );
    if (confirmed.length > 0) return;
    await this.db.query(
      `insert into wallet_networks as w (wallet_id, networks, digest, fetched_at) values ($1, $2, $3, $4)
       on conflict (wallet_id) do update
          set networks = excluded.networks, digest = excluded.digest, fetched_at = excluded.fetched_at
        where w.fetched_at <= excluded.fetched_at`,
      [id, text, digest, fetchedAt],
    );
  }
}

function fromStored(stored: StoredNetwork): WithdrawalNetwork {
  const { minWithdrawal, maxWithdrawal, fee } = stored;
  return {
    ...stored,
    minWithdrawal: toAmount(minWithdrawal),
    maxWithdrawal: toAmount(maxWithdrawal),
    fee: toAmount(fee),
  };
}

function toAmount(text: string | null): Amount | null {
  return text === null ? null : Amount.of(text);
}
