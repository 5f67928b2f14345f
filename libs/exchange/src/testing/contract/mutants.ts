import { Amount } from '#money';
import { Secret } from '#platform/crypto';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeDeclaration } from '../../declaration/exchange-declaration.js';
import type { ExchangeSession, HistoryCapability, WithdrawalCapability } from '../../port/exchange.port.js';
import type { ErrorMap, ErrorMeaning } from '../../transport/error-map.js';
import { asBan } from './limit-rules.js';
import {
  inConnector,
  inContext,
  inErrors,
  inOrders,
  inReads,
  inRequest,
  inSession,
  inTrading,
  inTransport,
  inWithdrawals,
  over,
  type Mutation,
} from './mutations.js';

type Declared = ExchangeDeclaration;

/** A connector with one deliberate fault, and the rule that must find it. */
export interface ConnectorMutant {
  readonly name: string;
  /** The id of the exchange whose connector is changed. */
  readonly of: 'gate' | 'kraken' | 'sandbox' | 'bybit';
  readonly caughtBy: string;
  readonly mutate: Mutation;
}

/** Leaves out the records that have the same time as the last record of the page before. */
function withoutTies(history: HistoryCapability): Partial<HistoryCapability> {
  let last: number | null = null;
  return {
    page: async (kind, range, cursor) => {
      const page = await history.page(kind, range, cursor);
      const after = cursor === null ? null : last;
      last = page.records.at(-1)?.at.getTime() ?? null;
      return { ...page, records: page.records.filter(({ at }) => after === null || at.getTime() < after) };
    },
  };
}

/** All mutants of connectors. @param krakenWith returns Kraken's declaration with the given error map. */
export function connectorMutants(krakenWith: (errors: ErrorMap) => Declared): ConnectorMutant[] {
  const meaning = (code: string, changed: ErrorMeaning): Mutation =>
    inErrors(krakenWith, ({ meanings }) => ({ meanings: { ...meanings, [code]: changed } }));
  return [...ofErrors(krakenWith, meaning), ...ofResponses, ...ofRequests, ...ofAccounts, ...ofHistories, ...ofOrders];
}

function ofErrors(
  krakenWith: (errors: ErrorMap) => Declared,
  meaning: (code: string, changed: ErrorMeaning) => Mutation,
): ConnectorMutant[] {
  return [
    {
      name: 'interprets a refusal in a 5xx response as definite',
      of: 'kraken',
      caughtBy: 'EX-04',
      mutate: inTransport((transport) => ({
        sendOnce: async (...args) => {
          const response = await transport.sendOnce(...args);
          return response.status >= 500 ? { ...response, status: 200 } : response;
        },
      })),
    },
    {
      name: 'takes a used nonce for a refusal',
      of: 'kraken',
      caughtBy: 'EX-09',
      mutate: meaning('EAPI:Invalid nonce', { grade: 'refused' }),
    },
    {
      name: 'takes a limit of calls for a definite refusal',
      of: 'kraken',
      caughtBy: 'EX-10',
      mutate: meaning('EAPI:Rate limit exceeded', { grade: 'pause', forEveryCopy: true }),
    },
    {
      name: 'reports another cause of a refusal',
      of: 'kraken',
      caughtBy: 'EX-10',
      mutate: meaning('EFunding:Insufficient funds', { grade: 'refused', code: 'WITHDRAWAL_INVALID_ADDRESS' }),
    },
    {
      name: 'guesses the meaning of an unlisted code',
      of: 'kraken',
      caughtBy: 'EX-11',
      mutate: inErrors(krakenWith, () => ({
        shorterCode: (code) => (code === 'EFunding:Insufficient funds' ? null : 'EFunding:Insufficient funds'),
      })),
    },
    {
      name: 'calls a key invalid because of a missing permission',
      of: 'kraken',
      caughtBy: 'EX-14',
      mutate: meaning('EGeneral:Permission denied', { grade: 'credentials', forEveryCopy: true }),
    },
  ];
}

const ofResponses: ConnectorMutant[] = [
  {
    name: 'accepts a response without an id',
    of: 'kraken',
    caughtBy: 'EX-03',
    mutate: inWithdrawals((withdrawals) => ({
      submit: async (...args) => {
        const outcome = await withdrawals.submit(...args);
        const isSuccess = outcome.kind === 'unknown' && outcome.answer['status'] === 200;
        return isSuccess ? { kind: 'accepted', exchangeId: '', answer: outcome.answer } : outcome;
      },
    })),
  },
  {
    name: 'follows a redirect',
    of: 'sandbox',
    caughtBy: 'EX-03',
    mutate: inTransport((transport) => ({
      sendOnce: async (...args) => {
        const response = await transport.sendOnce(...args);
        return response.status === 307 ? transport.sendOnce(...args) : response;
      },
    })),
  },
  {
    name: 'reports a lost connection as not sent',
    of: 'kraken',
    caughtBy: 'EX-05',
    mutate: inWithdrawals((withdrawals) => ({
      submit: async (...args) => {
        const outcome = await withdrawals.submit(...args);
        const isCut = outcome.kind === 'unknown' && outcome.reason !== 'timeout' && !('status' in outcome.answer);
        return isCut ? { kind: 'not_sent', reason: outcome.reason } : outcome;
      },
    })),
  },
  {
    name: 'sends again after a time-out',
    of: 'sandbox',
    caughtBy: 'EX-06',
    mutate: inTransport((transport) => ({
      sendOnce: (...args) => transport.sendOnce(...args).catch(() => transport.sendOnce(...args)),
    })),
  },
  {
    name: 'ignores Retry-After',
    of: 'sandbox',
    caughtBy: 'EX-16',
    mutate: inReads(({ retryAfterMs: _ignored, ...response }) => response),
  },
  {
    name: 'ignores the limits that headers report',
    of: 'bybit',
    caughtBy: 'EX-38',
    mutate: inReads(({ limitsReached: _ignored, ...response }) => response),
  },
  {
    name: 'calls every 418 for a submission a ban of our address',
    of: 'kraken',
    caughtBy: 'EX-50',
    mutate: inTransport((transport) => ({ sendOnce: (...args) => transport.sendOnce(...args).then(asBan) })),
  },
];

const ofRequests: ConnectorMutant[] = [
  {
    name: 'asks for the balance before it sends',
    of: 'kraken',
    caughtBy: 'EX-17',
    mutate: inSession((session) => ({
      withdrawals: over(session.withdrawals ?? ({} as WithdrawalCapability), (withdrawals) => ({
        submit: async (...args) => {
          await session.balances();
          return withdrawals.submit(...args);
        },
      })),
    })),
  },
  {
    name: 'sends amounts as JavaScript numbers',
    of: 'kraken',
    caughtBy: 'EX-18',
    mutate: inRequest((request) => ({ ...request, amount: String(Number(request['amount'])) })),
  },
  {
    name: 'sends the net amount where the exchange deducts the fee',
    of: 'kraken',
    caughtBy: 'EX-18',
    mutate: inRequest((request, { amountNoFee }) => ({ ...request, amount: amountNoFee.toString() })),
  },
  {
    name: 'rounds amounts to eight decimals',
    of: 'sandbox',
    caughtBy: 'EX-18',
    mutate: inRequest((request) => ({
      ...request,
      amount: Amount.of(request['amount'] ?? '')
        .truncate(8)
        .toString(),
    })),
  },
  {
    name: 'adds the fee to an amount that includes the fee',
    of: 'kraken',
    caughtBy: 'EX-20',
    mutate: inWithdrawals((withdrawals) => ({
      estimate: (quoted) => withdrawals.estimate({ ...quoted, includeFee: false }),
    })),
  },
  {
    name: 'drops the tag',
    of: 'sandbox',
    caughtBy: 'EX-21',
    mutate: inRequest(({ tag: _dropped, ...request }) => request),
  },
  {
    name: 'uses the session of another credential',
    of: 'kraken',
    caughtBy: 'EX-23',
    mutate: inConnector((connector) => {
      let first: ExchangeSession | null = null;
      return { open: (credentials, id) => (first ??= connector.open(credentials, id)) };
    }),
  },
  {
    name: 'signs with another secret',
    of: 'kraken',
    caughtBy: 'EX-24',
    mutate: inConnector((connector) => ({
      open: ({ apiKey }, id) => connector.open({ apiKey, apiSecret: new Secret('b3RoZXI=') }, id),
    })),
  },
];

const ofAccounts: ConnectorMutant[] = [
  {
    name: 'calls locked holdings free',
    of: 'kraken',
    caughtBy: 'EX-24',
    mutate: inSession((session) => ({
      balances: async () => (await session.balances()).map((balance) => ({ ...balance, free: balance.total })),
    })),
  },
  {
    name: 'invents a fact about the key',
    of: 'sandbox',
    caughtBy: 'EX-25',
    mutate: inSession((session) => ({
      keyInfo: async () => ({ ...(await session.keyInfo()), modifiedTime: 1_795_000_000 }),
    })),
  },
  {
    name: 'offers every network of a coin as its own chain',
    of: 'kraken',
    caughtBy: 'EX-27',
    mutate: inReads((response, url) =>
      url.endsWith('/WithdrawMethods')
        ? {
            ...response,
            body: response.body.replaceAll(/"network":"(?:Ethereum|BNB Smart Chain)"/g, '"network":"Bitcoin"'),
          }
        : response,
    ),
  },
  {
    name: 'rejects a whole list of networks with one unreadable entry',
    of: 'kraken',
    caughtBy: 'EX-28',
    mutate: inContext(({ unreadable }) => ({
      unreadable: over(unreadable, () => ({
        report: () => {
          throw new Error('an unreadable entry');
        },
      })),
    })),
  },
  {
    name: 'gives deposit addresses of another chain',
    of: 'kraken',
    caughtBy: 'EX-29',
    mutate: inSession(({ deposits }) => ({
      ...(deposits !== undefined && {
        deposits: over(deposits, (own) => ({
          addresses: (method) => own.addresses(method).catch(() => [{ address: '0x00', tag: null, expiresAt: null }]),
        })),
      }),
    })),
  },
];

const ofHistories: ConnectorMutant[] = [
  {
    name: 'reports every record as the sought withdrawal',
    of: 'sandbox',
    caughtBy: 'EX-30',
    mutate: inWithdrawals((withdrawals) => ({
      find: async ({ notBefore }) =>
        (await withdrawals.list(notBefore)).records.map((record) => ({ ...record, isCertain: true })),
    })),
  },
  {
    name: 'guesses that an unknown status is final',
    of: 'kraken',
    caughtBy: 'EX-31',
    mutate: inWithdrawals((withdrawals) => ({
      find: async (sought) =>
        (await withdrawals.find(sought)).map((record) =>
          record.rawStatus === 'Never seen' ? { ...record, status: 'failed' } : record,
        ),
    })),
  },
  {
    name: 'takes an unknown status for a withdrawal that is under way',
    of: 'kraken',
    caughtBy: 'EX-31',
    mutate: inWithdrawals((withdrawals) => ({
      find: async (sought) =>
        (await withdrawals.find(sought)).map((record) =>
          record.status === 'unknown' ? { ...record, status: 'pending' } : record,
        ),
    })),
  },
  {
    name: 'loses records with the time of the last record of a page',
    of: 'sandbox',
    caughtBy: 'EX-32',
    mutate: inSession(({ history }) => (history === undefined ? {} : { history: over(history, withoutTies) })),
  },
  {
    name: 'reads the first page only',
    of: 'kraken',
    caughtBy: 'EX-32',
    mutate: inReads((response) => ({
      ...response,
      body: response.body.replace(/"next_cursor":"\d+"/, '"next_cursor":null'),
    })),
  },
  {
    name: 'claims to have read more of a history than it has',
    of: 'kraken',
    caughtBy: 'EX-61',
    mutate: inSession(({ history }) => ({
      ...(history !== undefined && {
        history: over(history, (own) => ({
          page: async (kind, range, cursor) => ({ ...(await own.page(kind, range, cursor)), reachedAt: range.since }),
        })),
      }),
    })),
  },
  {
    name: 'reports no withdrawal when the list is unreadable',
    of: 'kraken',
    caughtBy: 'EX-35',
    mutate: inWithdrawals((withdrawals) => ({ find: (sought) => withdrawals.find(sought).catch(() => []) })),
  },
  {
    name: 'subtracts the fee from the amount that arrives',
    of: 'kraken',
    caughtBy: 'EX-37',
    mutate: inSession(({ history }) => ({
      ...(history !== undefined && {
        history: over(history, (own) => ({
          page: async (...args) => {
            const page = await own.page(...args);
            return {
              ...page,
              records: page.records.map((one) => ({ ...one, amount: one.amount.minus(one.fee ?? Amount.zero) })),
            };
          },
        })),
      }),
    })),
  },
];

const ofOrders: ConnectorMutant[] = [
  {
    name: 'reports any order as the sought order',
    of: 'bybit',
    caughtBy: 'EX-39',
    mutate: inReads((response, url) => {
      const sought = new URL(url).searchParams.get('orderLinkId');
      return sought === null
        ? response
        : { ...response, body: response.body.replace(/"orderLinkId":"[^"]*"/g, `"orderLinkId":"${sought}"`) };
    }),
  },
  {
    name: 'does not report the asset of a fee',
    of: 'bybit',
    caughtBy: 'EX-39',
    mutate: inOrders(({ fees }) => ({ fees: fees?.map((one) => ({ ...one, asset: null })) ?? null })),
  },
  {
    name: 'reports the whole volume as executed',
    of: 'kraken',
    caughtBy: 'EX-39',
    mutate: inOrders(({ volume }) => ({ executedVolume: volume })),
  },
  {
    name: 'ignores orders that have ended',
    of: 'kraken',
    caughtBy: 'EX-40',
    mutate: inReads((response, url) =>
      url.endsWith('/ClosedOrders') ? { ...response, body: '{"error":[],"result":{"closed":{}}}' } : response,
    ),
  },
  {
    name: 'guesses that an order with an unknown status has ended',
    of: 'bybit',
    caughtBy: 'EX-40',
    mutate: inOrders(({ status }) => (status === 'unknown' ? { status: 'canceled' } : {})),
  },
  {
    name: 'reports an order that does not exist as a fault',
    of: 'kraken',
    caughtBy: 'EX-41',
    mutate: inTrading((trading) => ({
      read: (order) =>
        trading.read(order).catch((error: unknown) => {
          throw new ExchangeError('unavailable', 'kraken', String(error));
        }),
    })),
  },
  {
    name: 'reads amounts of orders as JavaScript numbers',
    of: 'kraken',
    caughtBy: 'EX-42',
    mutate: inOrders(({ volume }) => ({ volume: Amount.of(Number(volume.toString()).toFixed(18)) })),
  },
  {
    name: 'calls every refusal for insufficient funds definite',
    of: 'bybit',
    caughtBy: 'EX-46',
    mutate: inTrading(() => ({ isFundsRefusalDefinite: true })),
  },
  {
    name: 'searches only open orders after a refusal',
    of: 'kraken',
    caughtBy: 'EX-54',
    mutate: inTrading((trading) => ({
      find: async (sought) => {
        const order = await trading.find(sought);
        return order?.status === 'open' ? order : null;
      },
    })),
  },
  {
    name: 'lists no names of assets',
    of: 'kraken',
    caughtBy: 'EX-59',
    mutate: inSession(() => ({ assetNames: () => Promise.resolve([]) })),
  },
  {
    name: 'calls an asset by the name of another table',
    of: 'bybit',
    caughtBy: 'EX-60',
    mutate: inSession((session) => ({
      balances: async () =>
        (await session.balances()).map((balance) => ({ ...balance, asset: `${balance.asset}COIN` })),
    })),
  },
  {
    name: 'claims that signatures expire at once',
    of: 'bybit',
    caughtBy: 'EX-55',
    mutate: inTrading(() => ({ signedForMs: 1 })),
  },
  {
    name: 'reports no order when its entry is unreadable',
    of: 'bybit',
    caughtBy: 'EX-43',
    mutate: inTrading((trading) => ({ find: (sought) => trading.find(sought).catch(() => null) })),
  },
];
