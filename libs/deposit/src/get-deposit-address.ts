import { Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import {
  addressMatches,
  ExchangeError,
  networkById,
  resolveAsset,
  resolveNetworkId,
  UnusableResponse,
  type DepositCapability,
  type ReceivingAddress,
} from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { CacheExpired, CacheMiss, type CacheDirectives } from '#platform/http';
import { Wallets, WalletSessions, type Wallet } from '#wallet';
import { AddressLocks } from './address-locks.js';
import { chooseMethod, type ResolvedMethod } from './choose-method.js';
import { DepositAddresses, toDepositAddress, type AddressKey, type DepositAddress } from './deposit-addresses.js';
import {
  DepositAddressUnavailable,
  DepositAssetRequired,
  DepositExchangeNotSupported,
  DepositMethodsUnavailable,
  DepositNetworkRequired,
  DepositNotImplemented,
} from './deposit.errors.js';

export const reusePolicies = ['reuse_or_create', 'reuse_only', 'create_new'] as const;
export type ReusePolicy = (typeof reusePolicies)[number];

export interface AddressQuestion {
  asset?: string;
  /** The caller’s spelling of the network. */
  network?: string;
  policy: ReusePolicy;
  cache: CacheDirectives;
}

export interface GivenAddress extends DepositAddress {
  asset: string;
  /** Our id of the requested network. */
  network: string;
  exchange: string;
  /** true: the address was stored, and the exchange was not called. */
  isCached: boolean;
}

/** A request for a deposit address. */
interface AddressRequest {
  wallet: Wallet;
  /** The caller’s spelling of the asset. */
  asset: string;
  network: string;
  policy: ReusePolicy;
}

/** A request whose deposit method is known, and the session's values that the address needs. */
interface MethodRequest {
  deposits: DepositCapability;
  method: ResolvedMethod;
  key: AddressKey;
  /** See `ChosenAsset`. */
  folded: string | null;
  exchange: string;
  credentialVersion: string;
  fetchedAt: Date;
}

/**
 * Returns the address at which a wallet receives an asset on a network. The address belongs to exactly one deposit
 * method of the exchange, or the request is refused.
 */
@Injectable()
export class GetDepositAddress {
  constructor(
    private readonly wallets: Wallets,
    private readonly sessions: WalletSessions,
    private readonly addresses: DepositAddresses,
    private readonly locks: AddressLocks,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * @throws the errors of `Wallets.get` and `WalletSessions.use`, CacheMiss, CacheExpired, and those of
   * deposit.errors.ts.
   */
  async execute(
    project: Pick<ProjectIdentity, 'id'>,
    externalWalletId: string,
    question: AddressQuestion,
  ): Promise<GivenAddress> {
    if (question.asset === undefined || question.asset === '') throw new DepositAssetRequired();
    if (question.network === undefined || question.network === '') throw new DepositNetworkRequired();
    const wallet = await this.wallets.get(project, externalWalletId);
    const request = { wallet, asset: question.asset, network: question.network, policy: question.policy };
    return (await this.findStored(request, question.cache)) ?? this.ask(request);
  }

  /** Returns the stored address when it is fresh enough and does not expire soon; else null. */
  private async findStored(request: AddressRequest, cache: CacheDirectives): Promise<GivenAddress | null> {
    const { wallet, asset, policy } = request;
    const network = resolveNetworkId(request.network);
    const stored =
      network === null || policy === 'create_new' ? null : await this.addresses.findNamed(wallet.id, asset, network);
    if (network === null || stored === null) {
      if (cache.onlyIfCached) throw new CacheMiss();
      return null;
    }
    // A stored time in the future comes from a host whose clock is ahead. It counts like a time that is equally far in
    // the past.
    const ageMs = Math.abs(this.clock.now().getTime() - stored.fetchedAt.getTime());
    const isFresh = ageMs < this.maxAgeMs(cache) && this.lasts(stored);
    if (isFresh) return { ...stored, network, exchange: wallet.exchange, isCached: true };
    if (cache.onlyIfCached) throw new CacheExpired();
    return null;
  }

  private maxAgeMs({ noCache, maxAgeMs }: CacheDirectives): number {
    const ownMs = this.config.values.DEPOSIT_ADDRESS_CACHE_SECONDS * 1_000;
    return noCache ? 0 : Math.min(ownMs, maxAgeMs ?? ownMs);
  }

  private async ask({ wallet, asset: namedAsset, network: named, policy }: AddressRequest): Promise<GivenAddress> {
    const { exchange } = wallet;
    const fetchedAt = this.clock.now();
    const options = { autoDelete: false, askedFor: 'deposit' } as const;
    return this.sessions.use(wallet, options, async (session, credentialVersion) => {
      const { deposits } = session;
      if (deposits === undefined) throw new DepositExchangeNotSupported(exchange);
      if (policy === 'create_new' && deposits.create === undefined) throw new DepositNotImplemented(exchange);
      const { code: asset, folded } = await resolveAsset(session, namedAsset);
      const methods = await deposits.methods(asset);
      if (methods.length === 0) throw new DepositMethodsUnavailable(exchange, asset);
      const method = chooseMethod(methods, asset, named);
      const { network } = method;
      const key = { walletId: wallet.id, asset, network };
      const request = { deposits, method, key, folded, exchange, credentialVersion, fetchedAt };
      const given = policy === 'create_new' ? await this.makeNew(request) : await this.obtain(request, policy);
      return { ...given, asset, network, exchange, isCached: false };
    });
  }

  /**
   * Holds the lock while it creates a new address. Addresses that two calls created at the same time could not be
   * distinguished, so two customers might get the same address.
   */
  private async makeNew(request: MethodRequest): Promise<DepositAddress> {
    const make = makerOf(request);
    if (make === null) throw new DepositNotImplemented(request.exchange, nameOf(request.method));
    return this.locks.run(request.key, async () => this.keep(request, await make()));
  }

  /**
   * Holds the lock while it lists the addresses, too. Otherwise the listings of many concurrent calls would delay the
   * call that creates the address, because at most three calls of one credential run at a time.
   */
  private async obtain(request: MethodRequest, policy: 'reuse_or_create' | 'reuse_only'): Promise<DepositAddress> {
    const before = await this.addresses.find(request.key);
    return this.locks.run(request.key, async () => {
      const other = await this.addresses.find(request.key);
      const isStoredMeanwhile = other !== null && (before === null || other.fetchedAt > before.fetchedAt);
      if (isStoredMeanwhile && this.lasts(other)) return other;
      const best = await this.findBest(request);
      const make = policy === 'reuse_only' ? null : makerOf(request);
      // An address that expires soon is better than none.
      if (best !== null && (make === null || this.lasts(best))) return this.keep(request, best);
      if (policy === 'reuse_only')
        throw new DepositAddressUnavailable(
          `There is no address of ${nameOf(request.method)} yet; use reusePolicy reuse_or_create to create one`,
        );
      if (make === null) throw makesNone(request);
      return this.keep(request, await this.makeOr(best, make));
    });
  }

  /** Creates an address. When the exchange creates no more addresses, returns `found`, although it expires soon. */
  private async makeOr(
    found: ReceivingAddress | null,
    make: () => Promise<ReceivingAddress>,
  ): Promise<ReceivingAddress> {
    try {
      return await make();
    } catch (error) {
      if (found !== null && makesNoMore(error) && this.receives(found)) return found;
      throw error;
    }
  }

  /**
   * Returns the address that receives for the longest time. It is the first one that has not expired, because
   * `addresses` lists those that last longest first; null = all have expired.
   */
  private async findBest({ deposits, method }: MethodRequest): Promise<ReceivingAddress | null> {
    const addresses = await deposits.addresses(method);
    return addresses.find((address) => this.receives(address)) ?? null;
  }

  private async keep(request: MethodRequest, given: ReceivingAddress): Promise<DepositAddress> {
    const { method, key, folded, exchange, credentialVersion, fetchedAt } = request;
    checkForm(given, method, exchange);
    const address = toDepositAddress(method, given, fetchedAt);
    await this.addresses.record({ ...key, folded }, address, credentialVersion);
    return address;
  }

  private receives({ expiresAt }: ReceivingAddress): boolean {
    return expiresAt === null || expiresAt > this.clock.now();
  }

  /** Whether a transfer that is sent now arrives before the address expires. */
  private lasts({ expiresAt }: Pick<ReceivingAddress, 'expiresAt'>): boolean {
    const lifeMs = this.config.constants.DEPOSIT_ADDRESS_LIFE_SECONDS * 1_000;
    return expiresAt === null || expiresAt.getTime() > this.clock.now().getTime() + lifeMs;
  }
}

/** Returns the call that creates an address; null = the exchange creates none for this method. */
function makerOf({ deposits, method }: MethodRequest): (() => Promise<ReceivingAddress>) | null {
  const create = deposits.create?.bind(deposits);
  return create === undefined || !method.canGenerateAddress ? null : () => create(method);
}

function makesNoMore(error: unknown): boolean {
  return error instanceof ExchangeError && error.code === 'WITHDRAWAL_TOO_MANY_ADDRESSES';
}

function makesNone({ method }: MethodRequest): DepositAddressUnavailable {
  return new DepositAddressUnavailable(
    `There is no address of ${nameOf(method)}, and the exchange creates none on request; create one on the site of the exchange`,
  );
}

/**
 * Refuses an address that does not have the form of addresses on the network, because money that is sent to it would be
 * lost.
 */
function checkForm({ address }: ReceivingAddress, { network }: ResolvedMethod, exchange: string): void {
  const rule = networkById(network)?.addressRegex;
  if (rule !== undefined && addressMatches(rule, address)) return;
  throw new UnusableResponse(exchange, `an address that does not have the form of addresses on ${network}`);
}

function nameOf({ asset, network }: ResolvedMethod): string {
  return `${asset} on ${network}`;
}
