import { Amount } from '#money';
import { DAY_MS } from '#platform/clock';
import { ExchangeError } from '../../port/exchange-error.js';
import type { ExchangeSession } from '../../port/exchange.port.js';
import type { ExchangeOrder, TradingCapability } from '../../port/trading.port.js';
import type { ReceivedCall } from '../stub-exchange.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { Answers, OrdersContract, Reply, SampleOrder } from './exchange-contract.js';
import type { Check, Rule } from './rule.js';

const UNREADABLE = { name: 'ExchangeError', kind: 'unavailable' };
/** Number of orders with the same time. They do not fit on one page of an exchange's list (at most 100 orders). */
const TIES = 120;
/** No exchange documents that it lists orders of this age. */
const THREE_YEARS_MS = 3 * 365 * DAY_MS;
/** Amounts whose digits would change in a double, in a notation with exponents, or by rounding. */
const AMOUNTS = ['0.00000001', '0.000000000000000001', '123456789.123456789', '9007199254740993'];

function ordersOf({ contract }: Subject): OrdersContract {
  if (contract.orders === undefined) throw new Error('the contract has no orders');
  return contract.orders;
}

function tradingOf({ trading }: ExchangeSession): TradingCapability {
  if (trading === undefined) throw new Error('the session has no trading');
  return trading;
}

/** One of our orders at the stub exchange, and the calls with which a check finds and reads it. */
interface Placed {
  readonly order: SampleOrder;
  /** Makes an order with the same time and values as `order`, but with other ids. */
  readonly another: (number: number) => SampleOrder;
  readonly answer: (answers: Answers) => void;
  /** @param ageMs the order was sent at most this long ago (`notBefore`); absent = a minute */
  readonly find: (ageMs?: number) => Promise<ExchangeOrder | null>;
  readonly read: () => Promise<ExchangeOrder>;
}

/** Runs a check with an order that was placed half a minute ago. */
export function withOrder(
  subject: Subject,
  check: (placed: Placed) => Promise<void>,
  rest: Partial<SampleOrder> = {},
): Promise<void> {
  return ContractBench.run(subject, async ({ open, stub }) => {
    const contract = ordersOf(subject);
    const trading = tradingOf(await open());
    const now = Date.now();
    const order: SampleOrder = {
      exchangeId: contract.exchangeIds[0] ?? '',
      clientOrderId: trading.newClientOrderId('ours'),
      at: new Date(now - 30_000),
      side: 'buy',
      state: 'partly executed',
      volume: '2.5',
      executed: '1.5',
      averagePrice: '2',
      limitPrice: '2.15',
      fee: '0.003',
      feeAsset: contract.feeAsset,
      ...rest,
    };
    const { clientOrderId, exchangeId } = order;
    const submissionDeadline = new Date(now);
    const { request } = trading.prepare({ ...contract.instruction, clientOrderId, submissionDeadline });
    await check({
      order,
      another: (number) => ({
        ...order,
        exchangeId: otherThan(exchangeId, number),
        clientOrderId: trading.newClientOrderId(`another ${number}`),
      }),
      answer: (answers) => stub.answer(answers),
      find: (ageMs = 60_000) => trading.find({ clientOrderId, request, notBefore: new Date(now - ageMs) }),
      read: () => trading.read({ exchangeId, request, notBefore: new Date(now - 60_000) }),
    });
  });
}

/** Returns an id that differs from the given one and has the same format. */
function otherThan(exchangeId: string, number: number): string {
  const end = String(number).padStart(3, '0');
  return exchangeId.slice(0, -3) + (exchangeId.endsWith(end) ? '999' : end);
}

/** The facts that the connector must report about an order. */
function expected(order: SampleOrder, { hidesLimitPrice }: OrdersContract): object {
  const { exchangeId, clientOrderId, volume, limitPrice, executed, averagePrice, fee, feeAsset } = order;
  return {
    limitPrice: hidesLimitPrice === true ? null : Amount.of(limitPrice),
    exchangeId,
    clientOrderId,
    volume: Amount.of(volume),
    executedVolume: Amount.of(executed),
    averagePrice: Amount.of(averagePrice),
    cost: Amount.of(executed).times(Amount.of(averagePrice)),
    fees: [{ asset: feeAsset, amount: Amount.of(fee) }],
  };
}

/** The responses that the exchange would send if each request contained `other` where it contains `text`. */
function mistaking(answers: Answers, text: string, other: string): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([route, answer]) => [
      route,
      (call: ReceivedCall): Reply => {
        const mistaken = JSON.parse(JSON.stringify(call).replaceAll(text, other)) as ReceivedCall;
        return typeof answer === 'function' ? answer(mistaken) : answer;
      },
    ]),
  );
}

/** Responses in which a text that is not a number replaces the amount. */
function breaking(answers: Answers, amount: string): Answers {
  return Object.fromEntries(
    Object.entries(answers).map(([route, answer]) => [
      route,
      (call: ReceivedCall): Reply => {
        const reply = typeof answer === 'function' ? answer(call) : answer;
        return { ...reply, body: reply.body.replaceAll(JSON.stringify(amount), '"much"') };
      },
    ]),
  );
}

const found: Rule = {
  id: 'EX-39',
  title: 'an order that was sent is found by our id, with its executed part and its fee, and no other order is found',
  needs: ['trading'],
  checks: (subject) => {
    const { listing, listsEveryOrder = false } = ordersOf(subject);
    const check = (name: string, run: (placed: Placed) => Promise<void>): Check => ({
      name,
      run: () => withOrder(subject, run),
    });
    return [
      check('among many orders of the same moment', async ({ order, another, answer, find }) => {
        const others = Array.from({ length: TIES }, (_, number) => another(number));
        answer(listing([...others, order]));
        expect(await find()).toMatchObject(expected(order, ordersOf(subject)));
      }),
      ...(['buy', 'sell'] as const).map((side) => ({
        name: `with its side: ${side}`,
        run: () =>
          withOrder(
            subject,
            async ({ order, answer, find, read: readOrder }) => {
              answer(listing([order]));
              for (const same of [await find(), await readOrder()]) {
                expect(same).toMatchObject(expected(order, ordersOf(subject)));
                // Exchanges name the sides in other cases ("BUY", "Buy").
                expect(same?.description.side.toLowerCase()).toBe(side);
              }
            },
            { side },
          ),
      })),
      check('null when the exchange lists no order', async ({ answer, find }) => {
        answer(listing([]));
        expect(await find()).toBeNull();
      }),
      check(
        'no proof of absence when it was sent three years ago, unless the exchange lists every order',
        async ({ answer, find }) => {
          answer(listing([]));
          if (listsEveryOrder) expect(await find(THREE_YEARS_MS)).toBeNull();
          else await expect(find(THREE_YEARS_MS)).rejects.toBeInstanceOf(ExchangeError);
        },
      ),
      check('null when the exchange lists only other orders', async ({ another, answer, find }) => {
        answer(listing([another(1)]));
        expect(await find()).toBeNull();
      }),
      check('never another order that the exchange returns instead', async ({ order, another, answer, find }) => {
        const other = another(1);
        answer(mistaking(listing([other]), order.clientOrderId, other.clientOrderId));
        expect(await find().catch(() => null)).toBeNull();
      }),
    ];
  },
};

const STATUSES = {
  open: ['open'],
  'partly executed': ['open'],
  filled: ['filled'],
  canceled: ['canceled'],
  'unheard of': ['open', 'unknown'],
} as const;

const statuses: Rule = {
  id: 'EX-40',
  title: 'an order has its documented status, and has not ended when its status is unknown',
  needs: ['trading'],
  checks: (subject) =>
    (Object.keys(STATUSES) as (keyof typeof STATUSES)[]).map((state) => ({
      name: `the status "${state}"`,
      run: () =>
        withOrder(
          subject,
          async ({ order, answer, find }) => {
            answer(ordersOf(subject).listing([order]));
            const { status, closedAt } = (await find()) ?? {};
            expect(STATUSES[state]).toContain(status);
            if (status === 'open' || status === 'unknown') expect(closedAt).toBeNull();
          },
          {
            state,
            ...(state === 'filled' && { executed: '2.5' }),
            ...(state === 'open' && { executed: '0', fee: '0' }),
          },
        ),
    })),
};

const read: Rule = {
  id: 'EX-41',
  title: 'an order is read by the exchange’s id, and an order that does not exist is refused as not found',
  needs: ['trading'],
  checks: (subject) => {
    const { listing } = ordersOf(subject);
    const check = (name: string, run: (placed: Placed) => Promise<void>): Check => ({
      name,
      run: () => withOrder(subject, run),
    });
    return [
      check('among other orders', async ({ order, another, answer, read: readOrder }) => {
        answer(listing([another(1), order, another(2)]));
        expect(await readOrder()).toMatchObject(expected(order, ordersOf(subject)));
      }),
      check('an order that does not exist', async ({ another, answer, read: readOrder }) => {
        answer(listing([another(1)]));
        await expect(readOrder()).rejects.toMatchObject({ kind: 'refused', code: 'TRADING_ORDER_NOT_FOUND' });
      }),
      check('another order that the exchange returns instead', async ({ order, another, answer, read: readOrder }) => {
        const other = another(1);
        answer(mistaking(listing([other]), order.exchangeId, other.exchangeId));
        await expect(readOrder()).rejects.toMatchObject(UNREADABLE);
      }),
    ];
  },
};

const digits: Rule = {
  id: 'EX-42',
  title: 'the amounts of an order are the exchange’s, digit by digit',
  needs: ['trading'],
  checks: (subject) =>
    AMOUNTS.map((text) => ({
      name: text,
      run: () =>
        withOrder(
          subject,
          async ({ order, answer, find, read: readOrder }) => {
            answer(ordersOf(subject).listing([order]));
            for (const same of [await find(), await readOrder()])
              expect(same).toMatchObject(expected(order, ordersOf(subject)));
          },
          { state: 'filled', volume: text, executed: text, fee: text },
        ),
    })),
};

/** Orders whose values contradict each other. */
const CONTRADICTIONS: Readonly<Record<string, Partial<SampleOrder>>> = {
  'filled, and nothing is executed': { state: 'filled', executed: '0' },
  'filled, and only a part is executed': { state: 'filled', executed: '1.5' },
  'open, and nothing is left': { state: 'open', executed: '2.5' },
  'canceled, and more than its volume is executed': { state: 'canceled', executed: '2.6' },
  'filled, and more than its volume is executed': { state: 'filled', executed: '2.6' },
  'with a negative executed volume': { state: 'canceled', executed: '-1.5' },
  'with a negative volume': { state: 'canceled', volume: '-2.5', executed: '0' },
};

const complete: Rule = {
  id: 'EX-43',
  title: 'finding or reading an order fails when its entry is unreadable or contradicts itself',
  needs: ['trading'],
  checks: (subject) => [
    {
      name: 'searched by our id, and read by the exchange’s id',
      run: () =>
        withOrder(subject, async ({ order, answer, find, read: readOrder }) => {
          answer(breaking(ordersOf(subject).listing([order]), order.executed));
          await expect(find()).rejects.toMatchObject(UNREADABLE);
          await expect(readOrder()).rejects.toMatchObject(UNREADABLE);
        }),
    },
    ...Object.entries(CONTRADICTIONS).map(([name, rest]) => ({
      name: `an order that is ${name}`,
      run: () =>
        withOrder(
          subject,
          async ({ order, answer, find, read: readOrder }) => {
            answer(ordersOf(subject).listing([order]));
            for (const look of [find, readOrder]) {
              const found = await look().catch((error: unknown) => {
                expect(error).toMatchObject({ ...UNREADABLE, reason: 'unusable_answer' });
                return null;
              });
              // Some exchanges state no status. It then follows from the volumes, and can be unknown. Others state what
              // leaves the account as negative amounts.
              const isUnsigned = order.executed.startsWith('-') && found?.executedVolume.isPositive() === true;
              if (found !== null && !isUnsigned) expect(found.status).toBe('unknown');
            }
          },
          rest,
        ),
    })),
  ],
};

const funds: Rule = {
  id: 'EX-46',
  title: 'a refusal for insufficient funds counts as definite only where the documentation makes it definite',
  needs: ['trading'],
  checks: (subject) => [
    {
      name: 'the documented refusal of an order',
      run: () =>
        ContractBench.run(subject, async ({ open }) => {
          const { refusals } = subject.contract;
          const refusal = refusals.find(({ of, reason }) => of === 'order' && reason === 'insufficient_balance');
          expect(tradingOf(await open()).isFundsRefusalDefinite).toBe(refusal?.grade === 'refused');
        }),
    },
  ],
};

export const orderRules: readonly Rule[] = [found, statuses, read, digits, complete, funds];
