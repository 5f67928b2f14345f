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
  private hasTried = false;

  /** @param probe cheap reads, which show the kind of the account */
  constructor(private readonly probe: ByKind<() => Promise<unknown>>) {}

  /** The kind that the last read has shown; null = no read has shown it. */
  get shownKind(): AccountKind | null {
    return this.known;
  }

  /** Whether reads have failed to show the kind. */
  get isInDoubt(): boolean {
    return this.known === null && this.hasTried;
  }

  /** The kind of the account, read now. @throws ExchangeError */
  async readKind(): Promise<AccountKind> {
    return (await this.readWithKind(this.probe)).kind;
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
    this.hasTried = true;
    try {
      return this.shown(kind, await calls[kind]());
    } catch (error) {
      if (isRefusedBy(kind, error)) return this.readByOther(OTHER[kind], calls, error);
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
