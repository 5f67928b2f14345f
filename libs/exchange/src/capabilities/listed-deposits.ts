import type { z } from 'zod';
import type { ExchangeClient } from '../client/exchange-client.js';
import { hasAddresses, isSharedAddress, safeAddress, withRequiredTags } from '../networks/receiving-address.js';
import type { DepositCapability, DepositMethod, ReceivingAddress } from '../port/deposit.port.js';
import { ExchangeError } from '../port/exchange-error.js';
import { UnusableResponse } from '../transport/failed-read.js';
import type { ListReader } from '../transport/list-reader.js';
import { formOf, valueOf, valueOr, type Field } from './entry-fields.js';
import type { KnownNetwork, ListedNetwork, NetworkList } from './network-list.js';
import { name, optionalTag, optionalText } from './response-fields.js';

/** A deposit address as the exchange lists it. */
export interface ListedAddress {
  /** The exchange's own id of the network, as in its list of networks; null = the response names none. */
  readonly exchangeNetworkId: string | null;
  readonly address: string;
  readonly tag: string | null;
}

/** Returns the schema of an address. The fields of the tag and the network may be absent or empty in an entry. */
export function addressForm(fields: {
  readonly network?: string;
  readonly address: string;
  readonly tag?: Field<string | null>;
}): z.ZodType<ListedAddress> {
  const { network: networkField, address: addressField, tag: tagField } = fields;
  const networkOf = valueOr(networkField, optionalText, null);
  const tagOf = valueOr(tagField, optionalTag, null);
  const addressOf = valueOf(addressField, name);
  return formOf((entry) => ({ exchangeNetworkId: networkOf(entry), address: addressOf(entry), tag: tagOf(entry) }));
}

/**
 * Returns a reader of a list of addresses. An unreadable address is left out, such as the empty one of another network.
 * Only for an exchange where we create no addresses, because a missing address could be created a second time.
 * @throws when no address is readable
 */
export function addressReader(listIn: (body: unknown) => readonly unknown[], form: z.ZodType<ListedAddress>) {
  return (body: unknown, lists: ListReader): ListedAddress[] =>
    lists.read('addresses', listIn(body), (entry) => form.parse(entry));
}

/** The reason of an error by which an exchange reports that the account has no address yet. */
const NO_ADDRESS = 'no_address';

/** How an exchange gives deposit addresses. */
export interface DepositsDeclaration {
  /**
   * The account's addresses of an asset, at least those on the network. If there is none, the exchange returns an
   * empty list, or an error whose meaning has the reason `no_address`. @throws ExchangeError
   */
  readonly addresses: (listed: ListedNetwork) => Promise<readonly ListedAddress[]>;
  /** Creates an address without a fee; absent where the exchange creates addresses itself. */
  readonly create?: (listed: ListedNetwork) => Promise<ListedAddress>;
}

/** Deposit addresses at an exchange that lists networks. */
export class ListedDeposits implements DepositCapability {
  readonly create?: (method: DepositMethod) => Promise<ReceivingAddress>;

  constructor(
    private readonly client: ExchangeClient,
    private readonly list: NetworkList,
    private readonly declared: DepositsDeclaration,
  ) {
    const { create } = declared;
    if (create === undefined) return;
    this.create = async (method) => {
      const entry = await this.entryOf(method);
      const [address] = this.checked(entry, [await create(entry.listed)]);
      if (address !== undefined) return address;
      throw new UnusableResponse(client.exchange, 'the new address is not on the requested network');
    };
  }

  async methods(asset: string): Promise<DepositMethod[]> {
    const known = await this.list.receivable(asset);
    return known.map(({ listed, network }) => ({
      asset,
      network: network.id,
      exchangeMethodId: listed.exchangeNetworkId,
      tagType: network.tagType,
      minimum: listed.minDeposit,
      fee: null,
      limit: null,
      canGenerateAddress: this.declared.create !== undefined && hasAddresses(network.id),
    }));
  }

  async addresses(method: DepositMethod): Promise<ReceivingAddress[]> {
    const entry = await this.entryOf(method);
    if (!hasAddresses(entry.network.id)) return [];
    return this.checked(entry, await this.declared.addresses(entry.listed).catch(noneIfMissing));
  }

  private async entryOf({ asset, exchangeMethodId }: DepositMethod): Promise<KnownNetwork> {
    const known = await this.list.receivable(asset);
    const entry = known.find(({ listed }) => listed.exchangeNetworkId === exchangeMethodId);
    if (entry !== undefined) return entry;
    throw new ExchangeError(
      'refused',
      this.client.exchange,
      `the exchange accepts no deposits of ${asset} by the method ${exchangeMethodId}`,
      { code: 'DEPOSIT_METHODS_UNAVAILABLE' },
    );
  }

  private checked({ listed, network }: KnownNetwork, addresses: readonly ListedAddress[]): ReceivingAddress[] {
    const { exchange } = this.client;
    const own = addresses.filter(({ exchangeNetworkId: id }) => id === null || id === listed.exchangeNetworkId);
    const safe = own.map(({ address, tag }) => ({
      ...safeAddress(exchange, { address, tag }, network),
      expiresAt: null,
    }));
    return withRequiredTags(exchange, safe, (address) => isSharedAddress(network, address));
  }
}

function noneIfMissing(error: unknown): readonly ListedAddress[] {
  if (error instanceof ExchangeError && error.reason === NO_ADDRESS) return [];
  throw error;
}
