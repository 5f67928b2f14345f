import { canonicalAddress } from '#exchange';
import type { Amount } from '#money';

export interface DuplicateKeys {
  /** Contains the debited amount: attempts with the same key look the same in the exchange's history. */
  debitKey: string;
  /** Contains the amount that arrives: attempts with the same key pay the receiver the same amount. */
  receiptKey: string;
}

interface Payment {
  projectId: string;
  /** The caller's id of the wallet, which stays the same when the wallet is deleted and connected again. */
  externalWalletId: string;
  asset: string;
  network: string;
  address: string;
  tag: string | null;
  amountNoFee: Amount;
  amountWithFee: Amount;
}

/** Computes the keys that no two unresolved attempts may share; see docs/decisions/0005-duplicate-keys.md. */
export function duplicateKeysOf(payment: Payment): DuplicateKeys {
  const { projectId, externalWalletId, asset, network, address, tag, amountNoFee, amountWithFee } = payment;
  const keyOf = (amount: Amount): string =>
    JSON.stringify([projectId, externalWalletId, asset, network, canonicalAddress(address), tag, amount.toString()]);
  return { debitKey: keyOf(amountWithFee), receiptKey: keyOf(amountNoFee) };
}
