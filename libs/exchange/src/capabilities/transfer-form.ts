import { z } from 'zod';
import { Amount } from '#money';
import { networkById } from '../networks/networks.js';
import type { HistoryKind } from '../port/exchange.port.js';
import { valueOf, valueOr, type Field } from './entry-fields.js';
import { networkIdBy, type NetworkIds } from './network-form.js';
import {
  amount,
  codeText,
  epochTime,
  name,
  optionalAmount,
  optionalTag,
  optionalText,
  type CodeOf,
} from './response-fields.js';
import { transferStatus, type TransferStatuses } from './status-tables.js';
import type { TransferRecord } from './transfer-record.js';

/** For each value of a record, the field of the exchange's entry that contains it; absent = it is not reported. */
export interface TransferForm extends TransferStatuses {
  readonly exchangeId: Field<string>;
  readonly status: Field<string>;
  readonly asset: Field<string>;
  readonly amount: Field<Amount>;
  /** `gross` = the amount includes the fee. Default: the amount is what arrives. */
  readonly amountIs?: 'gross';
  readonly isFeeUnsettled?: true;
  readonly fee?: Field<Amount | null>;
  /** The asset of the fee. Default: the record's asset. A fee in another asset is left out. */
  readonly feeAsset?: Field<string | null>;
  readonly network?: Field<string | null>;
  readonly address?: Field<string | null>;
  readonly tag?: Field<string | null>;
  readonly hash?: Field<string | null>;
  /** If declared by a field name and not by a schema, the field must contain an epoch time. */
  readonly at: Field<Date>;
  readonly clientRef?: Field<string | null>;
}

/**
 * Returns the schema of a record's id. If a record has no id, the parsed value consists of the values of `parts`, which
 * are fields that never change.
 */
export function idOr(field: string, parts: Readonly<Record<string, z.ZodType>>): z.ZodType<string> {
  return z.object({ [field]: z.union([codeText, z.literal('')]).nullish(), ...parts }).transform((record) => {
    const { [field]: id, ...others } = record as Record<string, string | Amount | Date | null>;
    if (typeof id === 'string' && id !== '') return id;
    const known = Object.values(others).filter((part) => part !== null && part !== undefined);
    return known.map((part) => String(part instanceof Date ? part.getTime() : part)).join(' ');
  });
}

/** Reads a record. @throws when the entry is unreadable */
export type TransferReader = (kind: HistoryKind, entry: unknown, codeOf: CodeOf) => TransferRecord;

/**
 * Returns the record. @throws when one of its amounts is negative, also if it follows from a fee that is above the
 * amount
 */
export function withoutNegative<T extends Pick<TransferRecord, 'amountNoFee' | 'fee'>>(record: T): T {
  const { amountNoFee, fee } = record;
  if (amountNoFee.isNegative() || fee?.isNegative() === true) throw new Error('an amount of the record is negative');
  return record;
}

export function transferReader(ids: NetworkIds, forms: Readonly<Record<HistoryKind, TransferForm>>): TransferReader {
  const networkIdOf = networkIdBy(ids);
  const readers = { deposit: entryReader(forms.deposit), withdrawal: entryReader(forms.withdrawal) };
  return (kind, entry, codeOf) => {
    const { assetId, hash, ...record } = readers[kind](entry);
    const network = networkIdOf(record.exchangeNetwork, assetId);
    return { ...record, asset: codeOf(assetId), assetId, network, hash: hashOn(network, hash) };
  };
}

/**
 * Returns null for a text with a space. For a transfer that is not on a chain, some exchanges write words in place of
 * the hash, such as "Internal transfer 51376627901".
 */
function hashIn(text: string | null): string | null {
  return text?.includes(' ') === true ? null : text;
}

/** Returns the hash as the network's nodes write it: on EVM chains with `0x`, which some exchanges leave out. */
function hashOn(networkId: string | null, hash: string | null): string | null {
  const isBare = hash !== null && /^[0-9a-f]{64}$/i.test(hash);
  const isEvm = networkById(networkId ?? '')?.caip2?.startsWith('eip155:') === true;
  return isBare && isEvm ? `0x${hash}` : hash;
}

type EntryReader = (entry: unknown) => Omit<TransferRecord, 'asset' | 'network'>;

function entryReader(form: TransferForm): EntryReader {
  const read = {
    exchangeId: valueOf(form.exchangeId, codeText),
    status: valueOf(form.status, codeText),
    asset: valueOf(form.asset, name),
    amount: valueOf(form.amount, amount),
    fee: valueOr(form.fee, optionalAmount, null),
    feeAsset: valueOr(form.feeAsset, optionalText, null),
    network: valueOr(form.network, optionalText, null),
    address: valueOr(form.address, optionalText, null),
    tag: valueOr(form.tag, optionalTag, null),
    hash: valueOr(form.hash, optionalText, null),
    at: valueOf(form.at, epochTime),
    clientRef: valueOr(form.clientRef, optionalText, null),
  };
  return (entry) => {
    const [assetId, feeAsset] = [read.asset(entry), read.feeAsset(entry)];
    const fee = feeAsset === null || feeAsset === assetId ? read.fee(entry) : null;
    const stated = read.amount(entry);
    return withoutNegative({
      exchangeId: read.exchangeId(entry),
      ...transferStatus(form, read.status(entry)),
      assetId,
      amountNoFee: form.amountIs === 'gross' ? stated.minus(fee ?? Amount.zero) : stated,
      fee,
      isFeeUnsettled: form.isFeeUnsettled,
      exchangeNetwork: read.network(entry),
      address: read.address(entry),
      tag: read.tag(entry),
      hash: hashIn(read.hash(entry)),
      at: read.at(entry),
      clientRef: read.clientRef(entry),
    });
  };
}
