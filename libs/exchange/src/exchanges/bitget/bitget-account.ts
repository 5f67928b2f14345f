import { ExchangeError } from '../../port/exchange-error.js';

/** The kind of an account at Bitget. Classic accounts have the API v2, and unified accounts have the API v3. */
export type AccountKind = 'classic' | 'unified';

/** One thing for each kind of account. */
export type ByKind<T> = Readonly<Record<AccountKind, T>>;

const OTHER: ByKind<AccountKind> = { classic: 'unified', unified: 'classic' };
/** The reasons with which the API of one kind refuses accounts of the other kind. */
const REFUSES: ByKind<string> = { classic: 'unified_account', unified: 'classic_account' };

/**
 * The account of a session, whose kind the responses to reads show: each API refuses accounts of the other kind (40085,
 * 40084). A read that is refused so is repeated by the other API. The owner, or Bitget, may change the kind at any time
 * (docs/classic/uta-api-upgrade-guide), so the kind is only remembered, and every read can correct it.
 */
export class BitgetAccount {
  private known: AccountKind | null = null;
  /** A read has got no response that shows the kind. */
  private isOpen = false;

  constructor(private readonly exchange: string) {}

  /**
   * The kind of API for a new order: the one that the last read has shown, or v2 before the first read.
   * @throws ExchangeError when reads have failed and none has shown the kind: an order by the wrong API would be
   *   refused, but no refusal of that kind proves that the order does not exist.
   */
  get kindOfOrders(): AccountKind {
    if (this.known !== null || !this.isOpen) return this.known ?? 'classic';
    throw new ExchangeError(
      'unavailable',
      this.exchange,
      'it is not known yet whether the account is a unified account',
    );
  }

  /**
   * Reads by the API of the account's kind.
   * @throws ExchangeError. If both APIs refuse the account, the error is that of the first one.
   */
  async read<T>(calls: ByKind<() => Promise<T>>): Promise<T> {
    return (await this.readWithKind(calls)).value;
  }

  /** Like `read`, and also returns the kind whose API was used. */
  async readWithKind<T>(calls: ByKind<() => Promise<T>>): Promise<{ kind: AccountKind; value: T }> {
    const kind = this.known ?? 'classic';
    try {
      return this.shown(kind, await calls[kind]());
    } catch (error) {
      if (isRefusedBy(kind, error)) return this.readByOther(OTHER[kind], calls, error);
      this.isOpen ||= isWithoutEvidence(error);
      throw error;
    }
  }

  /** @param refusal the error with which the API of the other kind has refused the account */
  private async readByOther<T>(kind: AccountKind, calls: ByKind<() => Promise<T>>, refusal: unknown) {
    try {
      return this.shown(kind, await calls[kind]());
    } catch (error) {
      const isRefused = isRefusedBy(kind, error);
      this.known = isRefused ? null : kind;
      this.isOpen = isRefused;
      throw isRefused ? refusal : error;
    }
  }

  private shown<T>(kind: AccountKind, value: T): { kind: AccountKind; value: T } {
    this.known = kind;
    return { kind, value };
  }
}

/** Whether the API of a kind refused the account because the account is of the other kind. */
function isRefusedBy(kind: AccountKind, error: unknown): boolean {
  return error instanceof ExchangeError && error.reason === REFUSES[kind];
}

/** Whether a failed read leaves open which API the account has. */
function isWithoutEvidence(error: unknown): boolean {
  return error instanceof ExchangeError && (error.kind === 'unavailable' || error.kind === 'rate_limited');
}
