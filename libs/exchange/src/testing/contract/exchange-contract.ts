import type { ErrorCode } from '#platform/errors';
import type { Amount } from '#money';
import type {
  AmountKind,
  ExchangeCredentials,
  HistoryKind,
  UnreadAccount,
  WithdrawalInstruction,
} from '../../port/exchange.port.js';
import type { DepositMethod, ReceivingAddress } from '../../port/deposit.port.js';
import type { OrderInstruction, OrderSide, OrderType } from '../../port/trading.port.js';
import type { LimitScope } from '../../transport/call-limit.js';
import type { ErrorGrade } from '../../transport/error-map.js';
import type { ReceivedCall } from '../stub-exchange.js';
import type { NetworkEvidence } from './network-names.js';

/**
 * The data by which the contract suite checks one exchange, from `exchanges/<id>/<id>-contract.ts`. They come from the
 * exchange's documentation and never from our connector: the suite compares the connector with them. A capability that
 * the connector does not offer has no data, and the suite prints that its rules do not apply.
 */
export interface ExchangeContract {
  /** The name in the tables of documented records, orders and requests. Default: the exchange's id. */
  readonly documentedAs?: string;
  /**
   * Whether the checks play every response of a gateway before the exchange. One exchange does; the others play one
   * response of each kind.
   */
  readonly playsEveryGateway?: true;
  /** Two accounts, with credentials that can sign. */
  readonly credentials: readonly [ExchangeCredentials, ExchangeCredentials];
  /** Whether the exchange documents that the nonce of every private call must be above all earlier ones of its key. */
  readonly noncesMustRise: boolean;
  readonly signature: SignatureRule;
  /**
   * Every call that the connector may send, by its route, such as `POST /0/private/BalanceEx` or `GET /orders/{id}`.
   */
  readonly calls: Readonly<Record<string, DocumentedCall>>;
  /** Settings of Causeway for this exchange's checks, such as the rate of calls; absent = the defaults of the suite. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The refusals that the exchange documents, each as the exchange sends it: at least 25 if the connector sends
   * withdrawals or orders. Every code that the error map calls definite is among them.
   */
  readonly refusals: readonly DocumentedRefusal[];
  /** Refusals in a form or with a code that the documentation does not list. At least one. */
  readonly unlisted: readonly Reply[];
  /**
   * The page that documents that the exchange refuses a repeat, or returns the first booking, before any other check.
   * null = there is no such page. Then an insufficient balance is never a definite refusal: the exchange may have
   * executed the first copy of the request, which used the balance, and refused the second copy. A contract states
   * the page only if such a refusal is definite for this reason.
   */
  readonly repeatsAreRefusedFirst: string | null;
  /** Documented responses that show a limit of calls as used up, or that refuse calls because of a limit or a ban. */
  readonly limits: readonly DocumentedLimit[];
  /**
   * What the exchange shows beside its names of networks, by name: a title, the explorer or a token contract, and where
   * it comes from. A name needs no entry if it is itself a documented name of its chain (`documented-chains.ts`).
   */
  readonly networkEvidence: Readonly<Record<string, NetworkEvidence>>;
  readonly balances: BalancesContract;
  /** The accounts on which no withdrawal rests; absent = the exchange has none. */
  readonly otherAccounts?: OtherAccountsContract;
  readonly keyInfo: KeyInfoContract;
  readonly withdrawals?: WithdrawalsContract;
  readonly orders?: OrdersContract;
  readonly deposits?: DepositsContract;
  readonly history?: HistoryContract;
}

/** A response of the exchange. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response, or a function of the request. */
export type Answer = Reply | ((call: ReceivedCall) => Reply);

/** Responses by route. They replace those of `calls` in one check. */
export type Answers = Readonly<Record<string, Answer>>;

/**
 * The form of a documented parameter. `text`, `decimal` (digits without an exponent), `integer` and `boolean` are sent
 * as text in queries and forms. In a JSON body, `integer` and `boolean` are JSON's own types, and so is `number`.
 * `object` is only for JSON. `?` marks a parameter that may be absent.
 */
type Form = 'text' | 'decimal' | 'integer' | 'boolean' | 'number' | 'object';
export type ParameterForm = Form | `${Form}?`;

/** A call as the exchange documents it. */
export interface DocumentedCall {
  readonly parameters: Readonly<Record<string, ParameterForm>>;
  readonly answer: Answer;
  /** Whether the call is public, and so has no signature. */
  readonly isPublic?: true;
  /**
   * Further documented values by path (`JsonForm`): other statuses or types, or undefined for a member that may be
   * absent.
   */
  readonly also?: Readonly<Record<string, readonly unknown[]>>;
  /** The parameter by which a call that reads creates something, such as a deposit address; absent = it has none. */
  readonly createsBy?: string;
}

/** The exchange's own rule of signatures, written from its documentation and independent of the connector. */
export interface SignatureRule {
  /** The key that a request names; null = none. */
  readonly keyOf: (call: ReceivedCall) => string | null;
  /**
   * Creates a check for the requests to one stub. The check may remember nonces. It returns what is wrong with a
   * request; null = nothing is wrong.
   */
  readonly check: () => (call: ReceivedCall, credentials: ExchangeCredentials) => string | null;
  /**
   * Returns the parameters of a request as JSON, for an exchange whose requests carry them outside of the body, such as
   * in a header.
   */
  readonly jsonOf?: (call: ReceivedCall) => string;
}

/** A refusal, and the meaning that the exchange's documentation gives. */
export interface DocumentedRefusal {
  readonly reply: Reply;
  /** The name of the test: the code and the message of the refusal. */
  readonly name: string;
  /** The calls that get the refusal: `order` = only orders; `all` = every call. Default: withdrawals and reads. */
  readonly of?: 'order' | 'all';
  /** The conclusion that the refusal allows, see `ErrorGrade`. */
  readonly grade: ErrorGrade;
  /** Whether the refusal proves that a submission was not executed. Default: only the grade `refused` proves it. */
  readonly isDefinite?: boolean;
  readonly code?: ErrorCode;
  readonly reason?: string;
}

/**
 * A limit of calls, and the response that shows that the limit is used up: a success with certain headers, or a
 * refusal.
 */
export type DocumentedLimit = {
  /** The calls that the limit counts. */
  readonly of: LimitScope;
  /** The time until the exchange allows such a call again. */
  readonly pauseMs: number;
} & ({ readonly headers: Readonly<Record<string, string>> } | { readonly reply: Reply });

/** A balance that the connector must return. Amounts are decimal texts. A member that is absent here must be absent. */
export interface ExpectedBalance {
  readonly asset: string;
  readonly free: string;
  readonly used: string;
  readonly total: string;
  readonly withdrawable?: string;
  readonly elsewhere?: readonly { readonly account: string; readonly kind: AmountKind; readonly amount: string }[];
}

export interface BalancesContract {
  /** The balances that the connector returns for the documented responses, in any order. */
  readonly expected: readonly ExpectedBalance[];
  /** The exchange's ids, in upper case, of assets in `expected` that have another id than ours; absent = none has. */
  readonly assetIds?: readonly string[];
  /**
   * Responses in which one amount is no number. The connector must then mark the balance of the asset as partial, and
   * keep all others.
   */
  readonly unreadable: Readonly<Record<string, Reply>>;
}

export interface OtherAccountsContract {
  /** Further calls, by their routes, see `ExchangeContract.calls`. */
  readonly calls: Readonly<Record<string, DocumentedCall>>;
  /** The sums of the other accounts for the documented responses, in any order. */
  readonly expected: readonly ExpectedBalance[];
  /** The accounts that the connector must name for the documented responses. */
  readonly unread: readonly UnreadAccount[];
  /** For each route that alone shows an account: the name under which the account is named when the call fails. */
  readonly names: Readonly<Record<string, string>>;
  /** The accounts that hold one asset each; absent = every account can hold every asset. */
  readonly ofOneAsset?: readonly string[];
  /** The documented responses for accounts that the owner has not opened. */
  readonly notOpened?: Readonly<Record<string, Reply>>;
  /** The sub-accounts that the key of a main account can read; absent = none. */
  readonly subAccounts?: SubAccountsContract;
}

export interface SubAccountsContract {
  /** The route of the only call for an owner without a sub-account, its response, and the routes of further calls. */
  readonly list: string;
  readonly none: Reply;
  readonly further: readonly string[];
  /** How many sub-accounts one reading shows at most, and the responses for an owner with `count` of them. */
  readonly bound?: { readonly max: number; readonly many: (count: number) => Answers };
}

/** The other accounts of an exchange of which none is read. */
export function notServed(...names: string[]): OtherAccountsContract {
  const unread = names.map((account) => ({ account, reason: 'not_served' as const }));
  return { calls: {}, expected: [], unread, names: {} };
}

export interface KeyInfoContract {
  /** The route of the call. */
  readonly route: string;
  /** The response to the key of the second account, where it names the account; absent = the usual response. */
  readonly ofSecond?: Reply;
  readonly expected: ExpectedKeyInfo;
  /** The response with as few fields as the documentation allows, and what the connector returns for it. */
  readonly least: { readonly reply: Reply; readonly expected: ExpectedKeyInfo };
}

/** Times are epoch seconds; null = the response does not contain the fact. */
export interface ExpectedKeyInfo {
  readonly permissions: readonly string[];
  readonly ipAllowlist: readonly string[];
  readonly validUntil: number | null;
  readonly lastUsed: number | null;
  readonly createdTime: number | null;
  readonly modifiedTime: number | null;
  /** Absent = the exchange reports no such settings. */
  readonly unsafeSettings?: readonly string[];
}

/** The data that the contracts of withdrawals and of orders share. */
export interface SubmissionContract {
  readonly route: string;
  readonly accepted: Reply;
  /** The ids in `accepted`. */
  readonly exchangeIds: readonly string[];
  /** At least one response that looks like a success, but has no id or contradicts itself. */
  readonly withoutId: readonly Reply[];
  /** The response to a second copy of an executed request. */
  readonly repeated: Reply;
}

/** A submitted withdrawal as the exchange understands it, with our asset code. */
export interface WithdrawalMeaning {
  readonly asset: string;
  readonly address: string;
  readonly tag: string | null;
  /** The amount that the request states: net or gross, see `WithdrawalsContract.amountIs`. */
  readonly amount: string;
}

export interface WithdrawalsContract extends SubmissionContract {
  /** A withdrawal that the documented responses allow. */
  readonly instruction: WithdrawalInstruction;
  /** A withdrawal with a tag on a network that has tags; null = no documented response has such a network. */
  readonly tagged: WithdrawalInstruction | null;
  /** `gross`: the exchange deducts the fee from the sent amount; `net`: it adds the fee to the sent amount. */
  readonly amountIs: 'gross' | 'net';
  /** Interprets a received request as the exchange documents it. */
  readonly meaningOf: (call: ReceivedCall) => WithdrawalMeaning;
  readonly networks: NetworksContract;
}

/** A network that the connector offers. `contract` is its `WithdrawalNetwork.tokenAddress`. */
export type ExpectedNetwork = readonly [asset: string, network: string, contract: string | null];

export interface NetworksContract {
  /** The networks that the connector offers for the documented responses, in any order. */
  readonly expected: readonly ExpectedNetwork[];
  /** The responses that list the given entries. */
  readonly listing: (entries: readonly unknown[]) => Answers;
  /** An entry that the connector must offer as a network for withdrawals. */
  readonly good: unknown;
  /** Entries that must not be offered, by kind of trap; a text = the reason why the exchange has no such entries. */
  readonly traps: Readonly<Record<Trap, readonly unknown[] | string>>;
  /** At least two entries in an unreadable form. Each is left out, and must not affect other entries. */
  readonly unreadable: readonly unknown[];
}

/**
 * The kinds of listed networks that a connector must not offer. `wrapped`: a coin of another chain (BTC on Ethereum).
 * `bridged`: a variant of a token (USDC.e). `contractless`: a token without a contract. `unknown`: a network that we do
 * not know.
 */
export type Trap = 'wrapped' | 'bridged' | 'contractless' | 'unknown';

/** A submitted order as the exchange understands it. */
export interface OrderMeaning {
  /** The exchange's own symbol of the pair. */
  readonly pair: string;
  readonly side: OrderSide;
  readonly type: OrderType;
  /** The volume in the base asset. */
  readonly volume: string;
  /** The price in the quote asset; null for a market order. */
  readonly price: string | null;
}

export interface OrdersContract extends SubmissionContract {
  readonly instruction: Omit<OrderInstruction, 'clientOrderId' | 'submissionDeadline'>;
  /** true = the connector offers limit orders only, and refuses market orders before anything is sent. */
  readonly limitOnly?: true;
  /**
   * Interprets a received request as the exchange documents it, with the exchange's defaults for parameters that the
   * request does not state. @throws UndocumentedRequest when the request means something that an order of ours cannot
   * mean
   */
  readonly meaningOf: (call: ReceivedCall) => OrderMeaning;
  /** The responses of an exchange that has only these orders. It selects orders by the request, as documented. */
  readonly listing: (orders: readonly SampleOrder[]) => Answers;
  /**
   * How long after its signature the exchange refuses a request, from its documentation; null = it documents no time,
   * and orders state a deadline.
   */
  readonly signedForMs: number | null;
  /** The time for which a received request asks to be accepted; absent = requests do not state it. */
  readonly windowOf?: (call: ReceivedCall) => number;
  /** true = the exchange documents no limit to the age of the orders that it lists, and has one list of all of them. */
  readonly listsEveryOrder?: true;
  /** true = the exchange does not report the limit price of an order. */
  readonly hidesLimitPrice?: true;
  /** Our code of the asset of fees in `listing`; null = the exchange takes every fee in the quote asset. */
  readonly feeAsset: string | null;
}

/** An order, from which a contract makes the exchange's response. Amounts are decimal texts. */
export interface SampleOrder {
  readonly exchangeId: string;
  readonly clientOrderId: string;
  readonly at: Date;
  readonly side: OrderSide;
  readonly state: 'open' | 'partly executed' | 'filled' | 'canceled' | 'unheard of';
  readonly volume: string;
  readonly limitPrice: string;
  readonly executed: string;
  /** The price in the quote asset. The cost is `executed` × `averagePrice`. */
  readonly averagePrice: string;
  readonly fee: string;
  readonly feeAsset: string | null;
}

export interface DepositsContract {
  readonly asset: string;
  readonly methods: readonly Pick<DepositMethod, 'exchangeMethodId' | 'network'>[];
  /** The id of the method in `methods` whose addresses the suite reads. It must be a method with a known network. */
  readonly method: string;
  readonly addresses: readonly Omit<ReceivingAddress, 'expiresAt'>[];
  /** Responses to the reading of addresses in which one address does not fit the network. */
  readonly unsafe: Answers;
}

/** A deposit or withdrawal, from which `HistoryContract.entry` makes the exchange's entry. */
export interface SampleRecord {
  readonly id: string;
  readonly at: Date;
  readonly asset: string;
  /** Our id of the network. */
  readonly network: string;
  readonly address: string;
  readonly tag: string | null;
  /** The amount that arrives. */
  readonly net: Amount;
  readonly fee: Amount;
  /** The asset of the fee, where records state it. Default: `asset`. */
  readonly feeAsset?: string;
  /** Our reference, where the exchange stores one. */
  readonly clientRef: string | null;
  readonly state: 'pending' | 'completed' | 'failed' | 'unheard of';
  /** A status of the exchange, which the entry has instead of the usual one for `state`. */
  readonly status?: string;
}

/** The values that all sample records of one history share. */
export type HistorySample = Omit<SampleRecord, 'id' | 'at' | 'state' | 'status' | 'feeAsset'>;

export interface HistoryContract {
  /** Only for a connector without withdrawals. Otherwise the samples have the values of `withdrawals.instruction`. */
  readonly sample?: HistorySample;
  /** true = records state no fee, or the exchange does not document whether amounts contain the fee. */
  readonly reportsNoFees?: true;
  /** The exchange's entry for a record. */
  readonly entry: (kind: HistoryKind, record: SampleRecord) => unknown;
  /**
   * The responses of an exchange that has only these entries. The exchange selects, sorts and pages them as documented,
   * and refuses periods that are longer than the documented maximum (`windowDays`).
   */
  readonly listing: (kind: HistoryKind, entries: readonly ListedEntry[]) => Answers;
  /** Responses that return the same page with the same cursor for ever. */
  readonly endless: (kind: HistoryKind, entry: unknown) => Answers;
  /** true = the exchange reports no ids of deposits. Then the id of a sample is the hash of its transaction. */
  readonly depositsHaveNoIds?: true;
  /** Maximum number of records of one page. */
  readonly pageSize: number;
  /** The unit in which the exchange counts the times of records. */
  readonly unitMs: 1 | 1000;
  /** The longest period of one request in days; null = the documentation names none. */
  readonly windowDays: number | null;
}

export interface ListedEntry {
  readonly id: string;
  readonly at: Date;
  readonly entry: unknown;
}

/** A response in JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json', ...headers } };
}
