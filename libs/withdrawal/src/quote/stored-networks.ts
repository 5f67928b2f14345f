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
    await this.db.query(
      `insert into wallet_networks as w (wallet_id, networks, fetched_at) values ($1, $2, $3)
       on conflict (wallet_id) do update set networks = excluded.networks, fetched_at = excluded.fetched_at
        where w.fetched_at <= excluded.fetched_at`,
      [id, JSON.stringify(networks), fetchedAt],
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
