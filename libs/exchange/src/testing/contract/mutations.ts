import type { Amount } from '#money';
import type { Connector, ConnectorContext, ExchangeDeclaration } from '../../declaration/exchange-declaration.js';
import type { ExchangeSession, PreparedWithdrawal, WithdrawalCapability } from '../../port/exchange.port.js';
import type { ExchangeOrder, TradingCapability } from '../../port/trading.port.js';
import type { ErrorMap } from '../../transport/error-map.js';
import type { HttpResponse, Sender } from '../../transport/transport.js';
import type { Check } from './rule.js';

/** Makes the declaration of a connector with a deliberate fault. */
export type Mutation = (declaration: ExchangeDeclaration) => ExchangeDeclaration;

/** Changes sessions: the members that `change` returns replace those of the session. */
export function inSession(change: (session: ExchangeSession) => Partial<ExchangeSession>): Mutation {
  return inConnector((connector) => ({ open: (credentials, id) => over(connector.open(credentials, id), change) }));
}

export function inConnector(change: (connector: Connector) => Connector): Mutation {
  return (declaration) => ({
    ...declaration,
    load: (url, context) => change(declaration.load(url, context)),
  });
}

/** Changes what a connector gets from its process, such as the transport. */
export function inContext(change: (context: ConnectorContext) => Partial<ConnectorContext>): Mutation {
  return (declaration) => ({
    ...declaration,
    load: (url, context) => declaration.load(url, { ...context, ...change(context) }),
  });
}

export function inWithdrawals(change: (withdrawals: WithdrawalCapability) => Partial<WithdrawalCapability>): Mutation {
  return inSession(({ withdrawals }) => (withdrawals === undefined ? {} : { withdrawals: over(withdrawals, change) }));
}

export function inTrading(change: (trading: TradingCapability) => Partial<TradingCapability>): Mutation {
  return inSession(({ trading }) => (trading === undefined ? {} : { trading: over(trading, change) }));
}

/** Changes the orders that are found. */
export function inOrders(change: (order: ExchangeOrder) => Partial<ExchangeOrder>): Mutation {
  return inTrading((trading) => ({
    find: async (sought) => {
      const order = await trading.find(sought);
      return order === null ? null : { ...order, ...change(order) };
    },
  }));
}

/** Changes the requests of prepared withdrawals. */
export function inRequest(
  change: (request: Record<string, string>, of: { amountNoFee: Amount }) => Record<string, string>,
): Mutation {
  return inWithdrawals((withdrawals) => ({
    prepare: async (instruction): Promise<PreparedWithdrawal> => {
      const prepared = await withdrawals.prepare(instruction);
      return { ...prepared, request: change(prepared.request, instruction) };
    },
  }));
}

export function inTransport(change: (transport: Sender) => Partial<Sender>): Mutation {
  return inContext(({ transport }) => ({ transport: over(transport, change) }));
}

/** Changes the responses to reads. */
export function inReads(change: (response: HttpResponse, url: string) => HttpResponse): Mutation {
  return inTransport((transport) => ({
    send: async (request, options) => change(await transport.send(request, options), request.url),
  }));
}

/** An object with these members, which inherits all others from `original`. */
export function over<T extends object>(original: T, change: (original: T) => Partial<T>): T {
  return Object.assign(Object.create(original) as T, change(original));
}

/** Changes the error map that the connector's client uses. */
export function inErrors(
  reload: (errors: ErrorMap) => ExchangeDeclaration,
  change: (errors: ErrorMap) => Partial<ErrorMap>,
): Mutation {
  return ({ errors }) => reload({ ...errors, ...change(errors) });
}

/** The names of errors by which a connector shows its fault. */
const VERDICTS: ReadonlySet<string> = new Set(['ExchangeError', 'UndocumentedRequest']);

/**
 * Runs the checks of a rule until one fails. `found` = the failure shows that the rule found the mutant: a failed
 * expectation, a request that the contract calls undocumented, or an `ExchangeError` of the connector. Any other error
 * is a fault of the suite and is thrown.
 */
export async function verdictOf(checks: readonly Check[]): Promise<'found' | 'missed'> {
  for (const { run } of checks) {
    const failure = await run().then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) continue;
    if (failure instanceof Error && ('matcherResult' in failure || VERDICTS.has(failure.name))) return 'found';
    throw new Error('the suite failed: see the cause', { cause: failure });
  }
  return 'missed';
}
