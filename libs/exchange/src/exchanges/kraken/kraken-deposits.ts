import type { Asset } from '../../client/asset-catalogue.js';
import type { Endpoint, ExchangeClient } from '../../client/exchange-client.js';
import { canonicalAddress } from '../../networks/address-rule.js';
import { networkById, type Network } from '../../networks/networks.js';
import { hasAddresses, isSharedAddress, safeAddress, withRequiredTags } from '../../networks/receiving-address.js';
import type { DepositCapability, DepositMethod, ReceivingAddress } from '../../port/deposit.port.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import { depositNetworkOf } from './kraken-assets.js';
import { privateCall } from './kraken-key.js';
import {
  readDepositAddresses,
  readDepositMethod,
  readEntries,
  type KrakenDepositAddress,
  type KrakenDepositMethod,
} from './kraken-responses.js';

const DEPOSIT_METHODS = privateCall('DepositMethods');
const DEPOSIT_ADDRESSES = privateCall('DepositAddresses');

/** Kraken's codes for an asset without deposit methods. */
const NO_METHODS: ReadonlySet<string | undefined> = new Set([
  'EFunding:No funding method',
  'EFunding:Unknown asset',
  'EQuery:Unknown asset',
]);

/**
 * Networks where Kraken gives each account its own addresses although the chain has memos: its help requires a tag or
 * memo only for XRP, XLM, STX and EOS. Hedera and TON are not listed: Kraken's help does not mention them, and
 * exchanges often give all accounts the same address there. An address without a memo is left out on these two.
 */
const ownAddresses: ReadonlySet<string> = new Set(['cosmos', 'celestia', 'injective', 'sei']);

interface Known extends ReceivingAddress {
  isNew: boolean;
}

/** The deposit addresses of one Kraken account. */
export class KrakenDeposits implements DepositCapability {
  constructor(private readonly client: ExchangeClient) {}

  async methods(asset: string): Promise<DepositMethod[]> {
    const known = (await this.client.assets()).find(asset);
    if (known === null) return [];
    const methods = await this.client
      .call(DEPOSIT_METHODS, { asset: known.id }, (body) =>
        this.client.lists.read('DepositMethods', readEntries(body), readDepositMethod),
      )
      .catch((error: unknown): KrakenDepositMethod[] => {
        if (meansNoMethod(error)) return [];
        throw error;
      });
    return methods.map((method) => toDepositMethod(known, method));
  }

  async addresses(method: DepositMethod): Promise<ReceivingAddress[]> {
    if (method.network !== null && !hasAddresses(method.network)) return [];
    const now = this.client.clock.now();
    const addresses = await this.ask(method, {});
    return addresses
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .sort(byUse)
      .map(plain);
  }

  async create(method: DepositMethod): Promise<ReceivingAddress> {
    const before = new Set((await this.ask(method, {})).map(identityOf));
    const after = await this.ask(method, { new: 'true' });
    const [made, ...others] = after.filter((address) => !before.has(identityOf(address)));
    if (made === undefined) throw this.unsafe('the response contains no new address');
    // Another caller created an address at the same time. We cannot tell which caller created which address, and two
    // callers must not get the same one.
    if (others.length > 0) throw this.unsafe('the response contains several new addresses');
    return plain(made);
  }

  /**
   * Calls DepositAddresses. Omits `new` unless it is true: users of client libraries report that `new=false` creates
   * addresses, too.
   */
  private async ask(method: DepositMethod, params: { new?: 'true' }): Promise<Known[]> {
    const network = this.networkOf(method);
    const asset = (await this.client.assets()).find(method.asset);
    if (asset === null) throw this.noMethod(method);
    const endpoint: Endpoint = { ...DEPOSIT_ADDRESSES, ...(params.new && { creates: true }) };
    const addresses = await this.client
      .call(endpoint, { asset: asset.id, method: method.exchangeMethodId, ...params }, readDepositAddresses)
      .catch((error: unknown) => {
        throw meansNoMethod(error) ? this.noMethod(method, error) : error;
      });
    const checked = addresses.map((address) => this.checked(address, network));
    return withRequiredTags(
      this.client.exchange,
      checked,
      (address) => !ownAddresses.has(network.id) && isSharedAddress(network, address),
    );
  }

  /** Resolves the network again, because a caller may have stored the method for a while. */
  private networkOf({ asset, network, exchangeMethodId }: DepositMethod): Network {
    const id = depositNetworkOf(asset, exchangeMethodId);
    const known = id === null || id !== network || !hasAddresses(id) ? null : networkById(id);
    if (known !== null) return known;
    throw new ExchangeError(
      'refused',
      this.client.exchange,
      `the network of the deposit method ${exchangeMethodId} is not certain`,
      { code: 'DEPOSIT_METHOD_NOT_RESOLVED' },
    );
  }

  private checked({ address, expiretm, new: isNew, tag, memo }: KrakenDepositAddress, network: Network): Known {
    if (tag !== null && memo !== null && tag !== memo)
      throw this.unsafe('the response contains an address with two tags');
    const safe = safeAddress(this.client.exchange, { address, tag: tag ?? memo }, network);
    return { ...safe, isNew, expiresAt: expiretm === null ? null : new Date(expiretm * 1000) };
  }

  private noMethod({ asset, exchangeMethodId }: DepositMethod, cause?: unknown): ExchangeError {
    const code = 'DEPOSIT_METHODS_UNAVAILABLE';
    return new ExchangeError(
      'refused',
      this.client.exchange,
      `the exchange accepts no deposits of ${asset} by the method ${exchangeMethodId} now`,
      { code, cause },
    );
  }

  private unsafe(what: string): ExchangeError {
    return new UnusableResponse(this.client.exchange, `${what} (DepositAddresses)`);
  }
}

function toDepositMethod(asset: Asset, method: KrakenDepositMethod): DepositMethod {
  const id = depositNetworkOf(asset.code, method.method);
  const network = networkById(id ?? '');
  const { limit, fee, minimum, 'fee-percentage': percentage, 'address-setup-fee': setupFee } = method;
  return {
    asset: asset.code,
    network: network?.id ?? null,
    exchangeMethodId: method.method,
    tagType: network?.tagType ?? null,
    minimum,
    // A percentage cannot be expressed as an amount, so the fee is then null.
    fee: percentage === null || percentage.isZero() ? fee : null,
    limit: limit ?? null,
    // We never create an address that costs a fee: the caller asks for an address and has not agreed to pay for it.
    canGenerateAddress: method['gen-address'] && isFree(setupFee) && hasAddresses(id ?? ''),
  };
}

function isFree(setupFee: KrakenDepositMethod['address-setup-fee']): boolean {
  if (typeof setupFee === 'boolean') return !setupFee;
  return setupFee === undefined || setupFee === null || setupFee.isZero();
}

function meansNoMethod(error: unknown): boolean {
  return error instanceof ExchangeError && error.kind === 'refused' && NO_METHODS.has(error.rawCode);
}

/** Sorts addresses by their expiry, the latest first. If two expire at the same time, an unused one is first. */
function byUse(a: Known, b: Known): number {
  const lastsUntil = ({ expiresAt }: Known): number => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return lastsUntil(b) - lastsUntil(a) || Number(b.isNew) - Number(a.isNew);
}

function plain({ address, tag, expiresAt }: Known): ReceivingAddress {
  return { address, tag, expiresAt };
}

/** The identity of an address. It includes the tag, because one address with different tags serves many depositors. */
function identityOf({ address, tag }: Known): string {
  return JSON.stringify([canonicalAddress(address), tag]);
}
