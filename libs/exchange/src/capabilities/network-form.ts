import { z } from 'zod';
import { Amount } from '#money';
import { lookUp } from '../declaration/look-up.js';
import type { ListedAsset } from '../networks/asset-network.js';
import { valueOf, valueOr, type Field } from './entry-fields.js';
import type { ListedNetwork } from './network-list.js';
import { decimalPlaces, name, optionalAmount, optionalText, type CodeOf } from './response-fields.js';

/**
 * Makes one entry for each network of each asset: the network's fields, with the asset's fields that `keep` names. An
 * asset whose list of networks is unreadable becomes one unreadable entry; an asset whose list is null becomes no
 * entry.
 */
export function entriesByNetwork(assets: readonly unknown[], networks: string, keep: readonly string[]): unknown[] {
  const form = z.looseObject({ [networks]: z.array(z.unknown()).nullable() });
  return assets.flatMap((asset): unknown[] => {
    const { success, data } = form.safeParse(asset);
    if (!success) return [asset];
    const kept = Object.fromEntries(keep.map((field) => [field, data[field]]));
    return (data[networks] ?? []).map((network) => ({ ...Object(network), ...kept }) as unknown);
  });
}

/** The fields that describe one asset on one network. */
export interface NetworkForm {
  /** The exchange's id of the asset. */
  readonly asset: Field<string>;
  readonly network: Field<string>;
  /** Default: the network's name. */
  readonly displayName?: Field<string | null>;
  /** The contract of the token on the chain. Absent = the exchange lists no token contracts at all. */
  readonly contract?: Field<NonNullable<ListedAsset['contract']> | null>;
  /** Default: deposits are open. */
  readonly canDeposit?: Field<boolean>;
  readonly minDeposit?: Field<Amount | null>;
  readonly addressRegex?: Field<string | null>;
  /** Whether the entry's token is not the asset that Causeway's asset code stands for. Such an entry is left out. */
  readonly isAnother?: (entry: unknown, asset: string) => boolean;
  /** Absent = the connector makes no withdrawals. */
  readonly withdrawals?: {
    readonly isOpen: Field<boolean>;
    readonly decimals: Field<number>;
    readonly min: Field<Amount | null>;
    readonly max?: Field<Amount | null>;
    /** null = the fee is not fixed; then the connector makes no withdrawals on this network. */
    readonly fee: Field<Amount | null>;
    /**
     * The share of the amount that the exchange charges in addition to the fee; null = not known; absent = there is
     * none. If the share is not zero, the connector makes no withdrawals on this network, because no exchange documents
     * the rounding of the share.
     */
    readonly feeShare?: Field<Amount | null>;
    /** Default: the exchange accepts withdrawals without a tag. */
    readonly needsTag?: Field<boolean>;
    /** Default: the exchange accepts withdrawals with a tag if addresses of the network have one. */
    readonly takesTag?: Field<boolean>;
  };
}

/**
 * Our network ids by the exchange's names, or a function of the name and the asset's id; null = we do not know the
 * network.
 */
export type NetworkIds =
  Readonly<Record<string, string>> | ((network: string | null, assetId: string) => string | null);

export const networkIdBy = (ids: NetworkIds) =>
  typeof ids === 'function' ? ids : (network: string | null) => lookUp(ids, network);

export function networkReader(ids: NetworkIds, form: NetworkForm): (entry: unknown, codeOf: CodeOf) => ListedNetwork {
  const networkIdOf = networkIdBy(ids);
  const contractOf = form.contract === undefined ? undefined : valueOf(form.contract, optionalText);
  const read = {
    assetId: valueOf(form.asset, name),
    exchangeNetworkId: valueOf(form.network, name),
    displayName: valueOr(form.displayName, optionalText, null),
    canDeposit: valueOr(form.canDeposit, z.boolean(), true),
    minDeposit: valueOr(form.minDeposit, optionalAmount, null),
    addressRegex: valueOr(form.addressRegex, optionalText, null),
    withdrawals: withdrawalReader(form.withdrawals),
  };
  return (entry, codeOf) => {
    const [assetId, exchangeNetworkId] = [read.assetId(entry), read.exchangeNetworkId(entry)];
    const [asset, addressRegex] = [codeOf(assetId), read.addressRegex(entry)];
    return {
      asset,
      assetId,
      networkId: form.isAnother?.(entry, asset) === true ? null : networkIdOf(exchangeNetworkId, assetId),
      ...(contractOf !== undefined && { contract: contractOf(entry) }),
      exchangeNetworkId,
      displayName: read.displayName(entry) ?? exchangeNetworkId,
      canDeposit: read.canDeposit(entry),
      minDeposit: read.minDeposit(entry),
      ...read.withdrawals(entry),
      ...(addressRegex !== null && { addressRegex }),
    };
  };
}

type WithdrawalRules = Pick<
  ListedNetwork,
  'canWithdraw' | 'decimals' | 'minWithdrawal' | 'maxWithdrawal' | 'fee' | 'needsTag' | 'takesTag'
>;

const NONE: WithdrawalRules = {
  canWithdraw: false,
  decimals: 0,
  minWithdrawal: null,
  maxWithdrawal: null,
  fee: null,
  needsTag: false,
  takesTag: true,
};

function withdrawalReader(form: NetworkForm['withdrawals']): (entry: unknown) => WithdrawalRules {
  if (form === undefined) return () => NONE;
  const read = {
    canWithdraw: valueOf(form.isOpen, z.boolean()),
    decimals: valueOf(form.decimals, decimalPlaces),
    minWithdrawal: valueOf(form.min, optionalAmount),
    maxWithdrawal: valueOr(form.max, optionalAmount, null),
    fee: valueOf(form.fee, optionalAmount),
    feeShare: valueOr(form.feeShare, optionalAmount, Amount.zero),
    needsTag: valueOr(form.needsTag, z.boolean().default(false), false),
    takesTag: valueOr(form.takesTag, z.boolean().default(true), true),
  };
  return (entry) => ({
    canWithdraw: read.canWithdraw(entry),
    decimals: read.decimals(entry),
    minWithdrawal: read.minWithdrawal(entry),
    maxWithdrawal: read.maxWithdrawal(entry),
    fee: read.feeShare(entry)?.isZero() === true ? read.fee(entry) : null,
    needsTag: read.needsTag(entry),
    takesTag: read.takesTag(entry),
  });
}
