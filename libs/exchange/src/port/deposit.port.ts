import type { Amount } from '#money';
import type { TagType } from './tag-type.js';

/** One method by which the exchange receives one asset. */
export interface DepositMethod {
  asset: string;
  /**
   * Our id of the method's network; null = we do not know the network for certain. Then no address of the method is
   * returned.
   */
  network: string | null;
  /** The exchange's own id or name of the method. */
  exchangeMethodId: string;
  /** The kind of tag that addresses have; null = they have none. */
  tagType: TagType | null;
  /** The smallest deposit that the exchange credits; null = not known. */
  minimum: Amount | null;
  /** Fee of each deposit; null = not known. */
  fee: Amount | null;
  /** The largest amount that can be received now; null = no limit. */
  limit: Amount | null;
  /** Whether the exchange makes addresses on request. */
  canGenerateAddress: boolean;
}

/** A deposit address of the account, checked against the network of its method. */
export interface ReceivingAddress {
  address: string;
  /** The tag, without which a deposit to the address is lost; null = the address has none. */
  tag: string | null;
  /** After this time the address no longer receives; null = it does not expire. */
  expiresAt: Date | null;
}

/** The deposit methods and addresses of an account. None of these calls moves money. */
export interface DepositCapability {
  /** All methods of one asset; empty = the asset cannot be received now, or is not known. */
  methods(asset: string): Promise<DepositMethod[]>;
  /**
   * The account's addresses for a method. Addresses that last longest come first. Among addresses that last equally
   * long, unused addresses come first. Addresses that lack a required tag are left out.
   * @throws ExchangeError; `refused` with DEPOSIT_ADDRESS_UNAVAILABLE when an address in the response does not fit the
   *   network (reason `unsafe_address`), or when every address lacks its tag (`tag_missing`).
   */
  addresses(method: DepositMethod): Promise<ReceivingAddress[]>;
  /**
   * Creates a new address; absent where the exchange has no such call.
   * @throws ExchangeError as `addresses`, and `unavailable` when the new address cannot be identified.
   */
  create?(method: DepositMethod): Promise<ReceivingAddress>;
}
