import { Amount } from '#money';
import type { ExchangeClient, Endpoint } from '../client/exchange-client.js';
import { METADATA_TTL_MS } from '../declaration/exchange-declaration.js';
import { assetNetwork, networkFacts, type ListedAsset } from '../networks/asset-network.js';
import { addressRulesOf } from '../networks/address-rule.js';
import type { Network } from '../networks/networks.js';
import { ExchangeError } from '../port/exchange-error.js';
import type { AssetName } from '../port/names.js';
import type { WithdrawalFacts } from '../port/exchange-spec.js';
import type { DatedNetworks, WithdrawalNetwork } from '../port/exchange.port.js';
import { Cached } from '../transport/cached.js';
import type { CodeOf } from './response-fields.js';

/** One asset on one network, as the exchange lists it. */
export interface ListedNetwork extends ListedAsset {
  /** The exchange's own id of the asset. */
  readonly assetId: string;
  /** The exchange's own id of the network. */
  readonly exchangeNetworkId: string;
  readonly displayName: string;
  readonly canWithdraw: boolean;
  readonly canDeposit: boolean;
  /** Maximum number of decimal places of the amount of a withdrawal. */
  readonly decimals: number;
  /** The smallest and the largest amount that a withdrawal request can state; null = not known. */
  readonly minWithdrawal: Amount | null;
  readonly maxWithdrawal: Amount | null;
  /** The fixed fee of a withdrawal, in the same asset; null = not fixed: then we withdraw nothing on this network. */
  readonly fee: Amount | null;
  /** Whether the exchange refuses withdrawals without a tag. */
  readonly needsTag: boolean;
  /** Whether the exchange accepts withdrawals with a tag, if addresses of the network have one. */
  readonly takesTag: boolean;
  /** The smallest deposit that the exchange credits; null = not known. */
  readonly minDeposit: Amount | null;
  /** The exchange's own expression for addresses, which applies in addition to that of our network; absent = none. */
  readonly addressRegex?: string;
}

/** An entry of the list whose network we know, and on which the asset is not a wrapped coin. */
export interface KnownNetwork {
  readonly listed: ListedNetwork;
  readonly network: Network;
}

/** An entry whose asset can be withdrawn on its network. */
export interface PayableNetwork extends KnownNetwork {
  readonly listed: ListedNetwork & { readonly fee: Amount };
}

/** The amount that a withdrawal request states: `net` is what arrives, `gross` includes the fee. */
export type AmountForm = WithdrawalFacts['amountIs'];

/** The exchange's list of networks, kept for a few minutes. Withdrawals and deposits use the same list. */
export class NetworkList {
  private readonly known: Cached<{ networks: readonly KnownNetwork[]; names: readonly AssetName[] }>;

  constructor(
    private readonly client: ExchangeClient,
    read: () => Promise<readonly ListedNetwork[]>,
  ) {
    this.known = new Cached(client.clock, METADATA_TTL_MS, async () => {
      const listed = await read();
      return { networks: knownNetworks(listed), names: namesIn(listed) };
    });
  }

  /** The networks that one call lists. @param read throws for an unreadable entry, which is left out and counted */
  static of(
    client: ExchangeClient,
    endpoint: Endpoint,
    entriesIn: (body: unknown) => readonly unknown[],
    read: (entry: unknown, codeOf: CodeOf) => ListedNetwork,
  ): NetworkList {
    const readAll = (body: unknown, codeOf: CodeOf): ListedNetwork[] =>
      client.lists.read(endpoint.path, entriesIn(body), (entry) => read(entry, codeOf));
    return new NetworkList(client, () => client.call(endpoint, {}, readAll));
  }

  /** Whether the amount of a withdrawal request, and the listed minimum and maximum, include the fee. */
  get amountIs(): AmountForm {
    return this.client.withdrawals.amountIs;
  }

  /** All networks on which an asset can be withdrawn. */
  async withdrawals(): Promise<DatedNetworks> {
    const { value, readAt } = await this.known.getDated();
    return {
      networks: value.networks.filter(isPayable).map((entry) => toWithdrawalNetwork(entry, this.amountIs)),
      readAt,
    };
  }

  /** @throws ExchangeError when the asset cannot be withdrawn on the network */
  async payable(asset: string, networkId: string): Promise<PayableNetwork> {
    const ofAsset = (await this.known.get()).networks.filter(isPayable).filter(({ listed }) => listed.asset === asset);
    const found = ofAsset.find(({ network }) => network.id === networkId);
    if (found !== undefined) return found;
    const code = ofAsset.length === 0 ? 'WITHDRAWAL_ASSET_NOT_SUPPORTED' : 'WITHDRAWAL_NETWORK_NOT_SUPPORTED';
    throw new ExchangeError(
      'refused',
      this.client.exchange,
      `the exchange allows no withdrawals of ${asset} on the network ${networkId}`,
      { code },
    );
  }

  /** The assets of the list, also those on networks that we do not know. */
  readonly assetNames = async (): Promise<readonly AssetName[]> => (await this.known.get()).names;

  /** The networks on which an asset can be received. */
  async receivable(asset: string): Promise<KnownNetwork[]> {
    return (await this.known.get()).networks.filter(({ listed }) => listed.asset === asset && listed.canDeposit);
  }
}

/**
 * Leaves out entries on networks that we do not know. Several entries of one asset on one network are left out, too:
 * they are different tokens, and the list does not identify the right one.
 */
function knownNetworks(entries: readonly ListedNetwork[]): KnownNetwork[] {
  const found = entries.flatMap((listed) => {
    const network = assetNetwork(listed);
    return network === null ? [] : [{ listed, network }];
  });
  const counts = new Map<string, number>();
  for (const entry of found) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  return found.filter((entry) => counts.get(keyOf(entry)) === 1);
}

function namesIn(entries: readonly ListedNetwork[]): AssetName[] {
  const ids = new Map(entries.map(({ asset, assetId }) => [asset, assetId]));
  return [...ids].map(([code, id]) => ({ code, aliases: id === code ? [] : [id] }));
}

function keyOf({ listed, network }: KnownNetwork): string {
  return `${listed.asset} ${network.id}`;
}

function isPayable(entry: KnownNetwork): entry is PayableNetwork {
  return entry.listed.canWithdraw && entry.listed.fee !== null;
}

/** Converts an entry. The bounds of a `WithdrawalNetwork` are amounts that the account is debited. */
function toWithdrawalNetwork({ listed, network }: PayableNetwork, amountIs: AmountForm): WithdrawalNetwork {
  const { asset, addressRegex, fee } = listed;
  return {
    ...networkFacts(asset, network),
    ...(!listed.takesTag && { tagType: null }),
    ...addressRulesOf(network, addressRegex),
    displayName: listed.displayName,
    assetName: listed.assetId,
    exchangeNetworkId: listed.exchangeNetworkId,
    decimals: decimalsOf({ listed, network }),
    ...debitedBounds(listed, amountIs),
    fee,
    feeAsset: asset,
  };
}

/** Maximum number of decimal places that both the exchange and the chain allow. */
export function decimalsOf({ listed, network }: KnownNetwork): number {
  return Math.min(listed.decimals, network.maxDecimals ?? listed.decimals);
}

/** The bounds of the amount that the account is debited, including the fee. */
export function debitedBounds(
  { minWithdrawal, maxWithdrawal, fee }: PayableNetwork['listed'],
  amountIs: AmountForm,
): Pick<WithdrawalNetwork, 'minWithdrawal' | 'maxWithdrawal'> {
  const added = amountIs === 'net' ? fee : Amount.zero;
  return { minWithdrawal: minWithdrawal?.plus(added) ?? null, maxWithdrawal: maxWithdrawal?.plus(added) ?? null };
}
