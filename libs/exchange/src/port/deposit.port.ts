import type { Amount } from '#money';
import type { TagType } from './tag-type.js';

/** One way of the exchange's of receiving one asset. */
export interface DepositMethod {
  asset: string;
  /** Our id of the one network that it is on; null = not one of ours, or in doubt: then no address of it is given out. */
  network: string | null;
  /** The exchange's own id or name of the method. */
  exchangeMethodId: string;
  /** What a tag is called here; null = addresses have none. */
  tagType: TagType | null;
  /** Least amount that is credited; null = not told. */
  minimum: Amount | null;
  /** What the exchange keeps of each deposit; null = not told. */
  fee: Amount | null;
  /** Most that can be received now; null = no limit. */
  limit: Amount | null;
  /** Whether the exchange makes addresses on request. */
  canGenerateAddress: boolean;
}

/** An address of the account. It belongs to the method that was asked, or it is not answered. */
export interface ReceivingAddress {
  address: string;
  /** Without it a deposit to an address with a tag is lost; null = the address has none. */
  tag: string | null;
  /** After it the address receives no more; null = for ever. */
  expiresAt: Date | null;
}

/** Where an account receives. None of these calls moves money. */
export interface DepositCapability {
  /** Every method of one asset; empty = it cannot be received now, or is not known. */
  methods(asset: string): Promise<DepositMethod[]>;
  /**
   * The addresses that the account has for a method, the best to give out first: those that last longest, and of these
   * never used ones. One that lacks the tag which it needs is left out.
   * @throws ExchangeError `unavailable` for a response in which an address does not fit the network; `refused` with
   *   DEPOSIT_ADDRESS_UNAVAILABLE when there are addresses, and all lack their tag.
   */
  addresses(method: DepositMethod): Promise<ReceivingAddress[]>;
  /**
   * Makes a new one; absent where the exchange has no such call.
   * @throws ExchangeError `unavailable` when it cannot be told which is the new one, as `addresses` beside.
   */
  create?(method: DepositMethod): Promise<ReceivingAddress>;
}
