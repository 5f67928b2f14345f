import { canonicalAddress } from '#exchange';
import type { Amount } from '#money';

interface Shaped {
  projectId: string;
  /** The caller's id of the wallet: one that is deleted and connected again is the same to whoever pays. */
  externalWalletId: string;
  asset: string;
  network: string;
  address: string;
  tag: string | null;
  amountNoFee: Amount;
  amountWithFee: Amount;
}

/** What makes two withdrawals of one wallet alike: for the exchange's history (debit) and for the receiver (receipt). */
export function receiptAndDebitShapes(withdrawal: Shaped): { debitShape: string; receiptShape: string } {
  const { projectId, externalWalletId, asset, network, address, tag, amountNoFee, amountWithFee } = withdrawal;
  const shape = (amount: Amount): string =>
    JSON.stringify([projectId, externalWalletId, asset, network, canonicalAddress(address), tag, amount.toString()]);
  return { debitShape: shape(amountWithFee), receiptShape: shape(amountNoFee) };
}
