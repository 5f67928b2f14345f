import type { ListedWithdrawals } from '../../capabilities/listed-withdrawals.js';
import type { ReferenceOrders } from '../../capabilities/reference-orders.js';
import type { TransferHistory } from '../../capabilities/transfer-pages.js';
import { ExchangeError } from '../../port/exchange-error.js';
import type {
  DatedNetworks,
  ExchangeWithdrawal,
  HistoryCapability,
  PreparedWithdrawal,
  QuotedWithdrawal,
  SoughtWithdrawal,
  SubmitOptions,
  SubmitOutcome,
  WithdrawalCapability,
  WithdrawalEstimate,
  WithdrawalInstruction,
  WithdrawalList,
  WithdrawalNetwork,
} from '../../port/exchange.port.js';
import type {
  ExchangeOrder,
  MissingOrder,
  MissingOrderFate,
  OrderInstruction,
  OrderOutcome,
  PreparedOrder,
  SoughtOrder,
  TakenOrder,
  TradingCapability,
} from '../../port/trading.port.js';
import { UnusableResponse } from '../../transport/failed-read.js';
import type { AccountKind, BitgetAccount, ByKind } from './bitget-account.js';

/** The capabilities of a session whose account may be of either kind. */

/** The history by either API. Each ignores the cursors of the other within a period, so no record is lost. */
export function historyOfEither(
  account: BitgetAccount,
  { classic, unified }: ByKind<TransferHistory>,
): HistoryCapability {
  return {
    kinds: classic.kinds,
    begins: classic.begins,
    page: (...page) => account.read({ classic: () => classic.page(...page), unified: () => unified.page(...page) }),
  };
}

/** The kind of API by which an order was sent. Only requests of v3 have a category. */
function kindOf({ category }: Readonly<Record<string, string>>): AccountKind {
  return category === undefined ? 'classic' : 'unified';
}

/** Orders by either API. An order is sent only by the API for which it was prepared, and read by the account's API. */
export class OrdersOfEither implements TradingCapability {
  readonly isFundsRefusalDefinite: boolean;
  readonly signedForMs: number;

  constructor(
    private readonly exchange: string,
    private readonly account: BitgetAccount,
    private readonly orders: ByKind<ReferenceOrders>,
  ) {
    const { classic, unified } = orders;
    this.isFundsRefusalDefinite = classic.isFundsRefusalDefinite && unified.isFundsRefusalDefinite;
    this.signedForMs = Math.max(classic.signedForMs, unified.signedForMs);
  }

  newClientOrderId(name?: string): string {
    return this.orders.classic.newClientOrderId(name);
  }

  prepare(instruction: OrderInstruction): PreparedOrder {
    return this.orders[this.account.shownKind ?? 'classic'].prepare(instruction);
  }

  /**
   * Sends no order by an API that the account does not have, because the refusal would leave the outcome unknown. The
   * caller then prepares the order again, for the other API.
   */
  async place(prepared: PreparedOrder, options: Pick<SubmitOptions, 'beforeSend'>): Promise<OrderOutcome> {
    const kind = kindOf(prepared.request);
    try {
      const shown = this.account.isInDoubt ? await this.account.readKind() : (this.account.shownKind ?? kind);
      if (shown !== kind) return { kind: 'not_sent', reason: `the account is a ${shown} account` };
    } catch (error) {
      if (error instanceof ExchangeError) return { kind: 'not_sent', reason: error.message };
      throw error;
    }
    return this.orders[kind].place(prepared, options);
  }

  async find(sought: SoughtOrder): Promise<ExchangeOrder | null> {
    const { kind, value: order } = await this.account.readWithKind(this.by((orders) => orders.find(sought)));
    const { isProofNeeded = true, request } = sought;
    const isProof = kind === 'classic' && kindOf(request) === 'classic';
    if (order !== null || !isProofNeeded || isProof) return order;
    // Bitget does not document whether one API lists the orders that were sent by the other. After a restore of the
    // database, the caller searches for an order that v2 may have sent before the account became a unified account.
    throw new UnusableResponse(this.exchange, 'the order may have been sent before the account changed its kind');
  }

  read(order: TakenOrder): Promise<ExchangeOrder> {
    return this.account.read(this.by((orders) => orders.read(order)));
  }

  /** Sends no call, so it shows nothing about the account. Both APIs list orders for the same time. */
  judgeMissing(order: MissingOrder): Promise<MissingOrderFate> {
    return this.orders[kindOf(order.request)].judgeMissing(order);
  }

  private by<T>(use: (orders: ReferenceOrders) => Promise<T>): ByKind<() => Promise<T>> {
    const { classic, unified } = this.orders;
    return { classic: () => use(classic), unified: () => use(unified) };
  }
}

/**
 * Withdrawals, which only classic accounts make. Those that an account made before it became a unified account are
 * found by the API v3, if Bitget lists them there.
 */
export class WithdrawalsOfClassic implements WithdrawalCapability {
  readonly class;
  readonly methods;

  constructor(
    private readonly exchange: string,
    private readonly account: BitgetAccount,
    private readonly withdrawals: ByKind<ListedWithdrawals>,
  ) {
    this.class = withdrawals.classic.class;
    this.methods = withdrawals.classic.methods;
  }

  async networks(asset?: string): Promise<WithdrawalNetwork[]> {
    return (await this.isClassic()) ? this.withdrawals.classic.networks(asset) : [];
  }

  async datedNetworks(): Promise<DatedNetworks> {
    const isClassic = await this.isClassic();
    const dated = await this.withdrawals.classic.datedNetworks();
    return isClassic ? dated : { ...dated, networks: [] };
  }

  async estimate(quoted: QuotedWithdrawal): Promise<WithdrawalEstimate> {
    if (!(await this.isClassic())) throw this.refusal();
    return this.withdrawals.classic.estimate(quoted);
  }

  /** Reads the kind of the account first, so that no withdrawal is sent that v2 would refuse without proof. */
  async prepare(instruction: WithdrawalInstruction): Promise<PreparedWithdrawal> {
    if ((await this.account.readKind()) !== 'classic') throw this.refusal();
    return this.withdrawals.classic.prepare(instruction);
  }

  submit(prepared: PreparedWithdrawal, options: SubmitOptions): Promise<SubmitOutcome> {
    return this.withdrawals.classic.submit(prepared, options);
  }

  find(sought: SoughtWithdrawal): Promise<ExchangeWithdrawal[]> {
    const { classic, unified } = this.withdrawals;
    return this.account.read({
      classic: () => classic.find(sought),
      unified: async () => {
        const found = await unified.find(sought);
        if (found.length > 0) return found;
        // Bitget does not document whether v3 lists the withdrawals that the account made as a classic one.
        throw new UnusableResponse(this.exchange, 'the account has become a unified account since the withdrawal');
      },
    });
  }

  /** @throws ExchangeError for a unified account: the list of v3 may lack the withdrawals that v2 has sent */
  async list(since: Date, pagesMax?: number): Promise<WithdrawalList> {
    if ((await this.account.readKind()) === 'classic') return this.withdrawals.classic.list(since, pagesMax);
    throw this.refusal('it is not documented whether Bitget lists all withdrawals of a unified account');
  }

  /** Whether the account is a classic one, as far as the last read has shown it. Other accounts are read again. */
  private async isClassic(): Promise<boolean> {
    return this.account.shownKind === 'classic' || (await this.account.readKind()) === 'classic';
  }

  private refusal(message = 'this service makes no withdrawals from unified accounts'): ExchangeError {
    return new ExchangeError('refused', this.exchange, message, { reason: 'unified_account' });
  }
}
