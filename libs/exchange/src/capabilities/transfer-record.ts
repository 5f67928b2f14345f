import type { Amount } from '#money';
import type { ExchangeWithdrawal, HistoryKind, HistoryRecord, ListedWithdrawal } from '../port/exchange.port.js';

/** A deposit or a withdrawal in the exchange's history, in our terms. */
export interface TransferRecord {
  readonly exchangeId: string;
  readonly status: ExchangeWithdrawal['status'];
  readonly rawStatus: string;
  /** Our code of the asset. */
  readonly asset: string;
  /** The exchange's id of the asset, which a renaming does not change. */
  readonly assetId: string;
  /** The amount that arrives. */
  readonly amountNoFee: Amount;
  /** null = not reported. */
  readonly fee: Amount | null;
  /**
   * true = the exchange does not document whether the amount contains the fee. Then a search compares the amount with
   * and without the fee, and callers get no fee, because amount and fee might not add up.
   */
  readonly isFeeUnsettled?: true;
  /** Our network id; null = not reported, or not a network of ours. */
  readonly network: string | null;
  readonly exchangeNetwork: string | null;
  readonly address: string | null;
  readonly tag: string | null;
  readonly hash: string | null;
  readonly at: Date;
  /** Our reference; null = the exchange keeps none, or another program made the withdrawal. */
  readonly clientRef: string | null;
}

function feeOf({ fee, isFeeUnsettled }: TransferRecord): Amount | null {
  return isFeeUnsettled === true ? null : fee;
}

export function toWithdrawal(record: TransferRecord, isCertain: boolean): ExchangeWithdrawal {
  const { exchangeId, status, rawStatus, hash, amountNoFee, at } = record;
  return { exchangeId, status, rawStatus, hash, amountNoFee, fee: feeOf(record), at, isCertain };
}

export function toListed(record: TransferRecord): ListedWithdrawal {
  const { exchangeId, status, rawStatus, hash, amountNoFee, at, clientRef, asset, address } = record;
  return { exchangeId, status, rawStatus, hash, amountNoFee, fee: feeOf(record), at, clientRef, asset, address };
}

/** The status in a history. Until the exchange shows a final status, the transfer is pending there. */
export const STATUS_IN_HISTORY = {
  pending: 'pending',
  unknown: 'pending',
  completed: 'ok',
  failed: 'failed',
  canceled: 'canceled',
} as const;

export function toHistory(record: TransferRecord, kind: HistoryKind): HistoryRecord {
  const { exchangeId, status, rawStatus, asset, assetId, network, exchangeNetwork, address, tag, hash, clientRef, at } =
    record;
  const fee = feeOf(record);
  return {
    kind,
    exchangeId,
    status: STATUS_IN_HISTORY[status],
    rawStatus,
    asset,
    amount: record.amountNoFee,
    fee,
    feeAsset: fee === null ? null : asset,
    ...(assetId !== asset && { assetId }),
    network,
    exchangeNetwork,
    address,
    tag,
    hash,
    ...(clientRef !== null && { clientRef }),
    at,
  };
}
