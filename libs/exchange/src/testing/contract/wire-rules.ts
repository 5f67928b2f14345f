import { Amount } from '#money';
import type { ExchangeSession, WithdrawalInstruction } from '../../port/exchange.port.js';
import { ExchangeError } from '../../port/exchange-error.js';
import { answering } from './contract-stub.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import type { Behaviour, ReceivedCall } from '../stub-exchange.js';
import type {
  Answer,
  OrderMeaning,
  OrdersContract,
  WithdrawalMeaning,
  WithdrawalsContract,
} from './exchange-contract.js';
import type { Check, Rule } from './rule.js';
import { prepareOrder, prepareWithdrawal, sendOnce, submissionsOf } from './submissions.js';

/** Amounts whose digits could change in a double, in a notation with exponents, or by rounding. */
const AMOUNTS = ['0.00000001', '0.000000000000000001', '123456789.123456789', '1', '100', '9007199254740993'];

/**
 * A connector must send every amount with at most this many decimals. It may refuse an amount with more, but never
 * round it.
 */
const DECIMALS_ALWAYS_SENT = 8;

/** The part of a contract about withdrawals. Only rules that need withdrawals call this function. */
function withdrawalsOf({ contract }: Subject): WithdrawalsContract {
  if (contract.withdrawals === undefined) throw new Error('the contract has no withdrawals');
  return contract.withdrawals;
}

function ordersOf({ contract }: Subject): OrdersContract {
  if (contract.orders === undefined) throw new Error('the contract has no orders');
  return contract.orders;
}

/** Prepares and sends a withdrawal. null = the connector refused before anything was sent. */
async function withdraw(subject: Subject, instruction: WithdrawalInstruction): Promise<WithdrawalMeaning | null> {
  const { route, meaningOf } = withdrawalsOf(subject);
  let meaning: WithdrawalMeaning | null = null;
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    const ready = await prepareWithdrawal(session, instruction).catch((error: unknown) => {
      if (error instanceof ExchangeError && error.kind === 'refused') return null;
      throw error;
    });
    if (ready !== null) await sendOnce(ready, session);
    const sent = stub.calls(route);
    expect(sent).toHaveLength(ready === null ? 0 : 1);
    const [call] = sent;
    if (call !== undefined) meaning = meaningOf(call);
  });
  return meaning;
}

const prepared: Rule = {
  id: 'EX-17',
  title: 'a submission is one request on a connection of its own',
  needs: ['withdrawals', 'trading'],
  checks: (subject) =>
    submissionsOf(subject.contract).map((kind) => ({
      name: kind.name,
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          const session = await open();
          await session.keyInfo();
          const ready = await kind.prepare(session);
          stub.forget();
          await session.keyInfo();
          await sendOnce(ready, session);
          await session.keyInfo();
          const [before, sent, after] = stub.calls();
          expect(stub.calls().map(({ route }) => route === kind.contract.route)).toEqual([false, true, false]);
          expect(sent?.connection).not.toBe(before?.connection);
          expect(after?.connection).not.toBe(sent?.connection);
        }),
    })),
};

const amounts: Rule = {
  id: 'EX-18',
  title: 'the amount of a withdrawal is sent digit by digit, with or without the fee as the exchange defines it',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { instruction, amountIs } = withdrawalsOf(subject);
    const { fee } = instruction;
    return AMOUNTS.map((text) => ({
      name: `${text}, sent as the ${amountIs} amount`,
      run: async () => {
        const amountNoFee = Amount.of(text);
        const amountWithFee = amountNoFee.plus(fee);
        const meaning = await withdraw(subject, { ...instruction, amountNoFee, amountWithFee });
        const expected = (amountIs === 'net' ? amountNoFee : amountWithFee).toString();
        if (meaning !== null) expect(meaning.amount).toBe(expected);
        else expect(amountNoFee.decimalPlaces()).toBeGreaterThan(DECIMALS_ALWAYS_SENT);
      },
    }));
  },
};

/** The sides and types of orders. */
const KINDS = [
  { side: 'buy', type: 'limit' },
  { side: 'sell', type: 'limit' },
  { side: 'buy', type: 'market' },
  { side: 'sell', type: 'market' },
] as const;

const orderTerms: Rule = {
  id: 'EX-19',
  title: 'pair, side, type, volume and price of an order are sent as they are given, digit by digit',
  needs: ['trading'],
  checks: (subject) =>
    KINDS.flatMap(({ side, type }) =>
      AMOUNTS.map((volume, at): Check => {
        // Volume and price differ, so that a connector that exchanges the two fails.
        const price = type === 'market' ? null : (AMOUNTS[(at + 1) % AMOUNTS.length] ?? '');
        const { exchangeSymbol: pair } = ordersOf(subject).instruction;
        return {
          name: `${side} ${volume} ${price === null ? 'at the market' : `at ${price}`}`,
          run: () => checkOrder(subject, { pair, side, type, volume, price }),
        };
      }),
    ),
};

/** Checks that an order arrives as it was given, or that a connector for limit orders refuses a market order. */
async function checkOrder(subject: Subject, given: OrderMeaning): Promise<void> {
  const { limitOnly, meaningOf } = ordersOf(subject);
  const { pair: exchangeSymbol, side, type } = given;
  await ContractBench.run(subject, async ({ open, stub }) => {
    const session = await open();
    const price = given.price === null ? null : Amount.of(given.price);
    const order = { exchangeSymbol, side, type, volume: Amount.of(given.volume), price };
    if (type === 'market' && limitOnly === true) {
      expect(() => prepareOrder(session, order)).toThrow(ExchangeError);
      return;
    }
    const ready = prepareOrder(session, order);
    stub.forget();
    await sendOnce(ready, session);
    expect(stub.calls().map(meaningOf)).toEqual([given]);
  });
}

/** The network of a withdrawal, from the list of the exchange. */
async function networkOf({ withdrawals }: ExchangeSession, { asset, network }: WithdrawalInstruction) {
  const networks = (await withdrawals?.networks(asset)) ?? [];
  const found = networks.find(({ id }) => id === network);
  if (found === undefined) throw new Error(`the exchange lists no network ${network} of ${asset}`);
  return found;
}

const estimates: Rule = {
  id: 'EX-20',
  title: 'the amounts and the fee of an estimate add up, and an estimate moves no money',
  needs: ['withdrawals'],
  checks: (subject) =>
    [true, false].map((includeFee) => ({
      name: includeFee ? 'with the fee inside the amount' : 'with the fee on top',
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          const session = await open();
          const { instruction, route } = withdrawalsOf(subject);
          const { asset, address, tag, amountNoFee: amount } = instruction;
          const network = await networkOf(session, instruction);
          const estimate = await session.withdrawals?.estimate({ asset, network, address, tag, amount, includeFee });
          expect(estimate?.amountNoFee.plus(estimate.fee)).toEqual(estimate?.amountWithFee);
          expect(includeFee ? estimate?.amountWithFee : estimate?.amountNoFee).toEqual(amount);
          expect(estimate?.fee).toEqual(instruction.fee);
          expect(stub.calls(route)).toEqual([]);
        }),
    })),
};

const destinations: Rule = {
  id: 'EX-21',
  title: 'address and tag are sent as they are given, or refused before anything is sent',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { instruction, tagged } = withdrawalsOf(subject);
    const check = (name: string, sent: WithdrawalInstruction, mustBeSent = false): Check => ({
      name,
      run: async () => {
        const meaning = await withdraw(subject, sent);
        const { asset, address, tag } = sent;
        if (meaning !== null || mustBeSent) expect(meaning).toMatchObject({ asset, address, tag });
      },
    });
    return [
      check('without a tag', instruction, true),
      check('a tag on a network without tags', { ...instruction, tag: '12345' }),
      check('another address', { ...instruction, address: anotherAddress(instruction.address) }),
      ...(tagged === null
        ? []
        : [
            check('with a tag', tagged, true),
            check('with another tag', { ...tagged, tag: '7' }),
            check('without the tag', { ...tagged, tag: null }),
          ]),
    ];
  },
};

/** Another address in the same format. Its checksum may be wrong. */
function anotherAddress(address: string): string {
  return address.slice(0, -4) + [...address.slice(-4)].reverse().join('');
}

const unknownNetworks: Rule = {
  id: 'EX-22',
  title: 'a withdrawal of an asset or on a network that the exchange does not list is refused before anything is sent',
  needs: ['withdrawals'],
  checks: (subject) => {
    const { instruction } = withdrawalsOf(subject);
    const refused = (name: string, rest: Partial<WithdrawalInstruction>): Check => ({
      name,
      run: async () => expect(await withdraw(subject, { ...instruction, ...rest })).toBeNull(),
    });
    return [
      refused('another asset', { asset: 'NOPE' }),
      refused('a network of another asset', { network: 'tezos' }),
      refused('a network that does not exist', { network: 'nope' }),
    ];
  },
};

/** The delay of each response, so that calls of both sessions are in flight together. */
const DELAY_MS = 20;

/**
 * Makes the behaviour that sends a response only to requests of the first account, and otherwise a 503. The results
 * then show which account's credentials each call used.
 */
function forFirstAccount({ contract: { credentials, signature } }: Subject, answer: Answer): Behaviour {
  const [first] = credentials.map(({ apiKey }) => apiKey.reveal());
  return (call, response) => {
    const chosen = signature.keyOf(call) === first ? answer : { status: 503, body: '' };
    setTimeout(() => answering(chosen)(call, response), DELAY_MS);
  };
}

const apart: Rule = {
  id: 'EX-23',
  title: 'concurrent calls of two sessions never mix or swap the credentials of the sessions',
  checks: (subject) => {
    const { keyInfo, calls, credentials, signature } = subject.contract;
    const keys = credentials.map(({ apiKey }) => apiKey.reveal());
    const usual = calls[keyInfo.route]?.answer ?? { status: 404, body: '' };
    const info = forFirstAccount(subject, usual);
    const reads: Check = {
      name: 'reads',
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          stub.on(keyInfo.route, info);
          const [first, second] = [await open({ account: 0 }), await open({ account: 1 })];
          const sessions = [first, second, first, second, second];
          const results = await Promise.allSettled(sessions.map((session) => session.keyInfo()));
          expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, false]);
          const used = stub.calls(keyInfo.route).map(signature.keyOf);
          expect(keys.map((key) => used.filter((one) => one === key).length)).toEqual([2, 3]);
        }),
    };
    const submissions = submissionsOf(subject.contract).map((kind): Check => {
      const { route, accepted } = kind.contract;
      return {
        name: kind.name,
        run: () =>
          ContractBench.run(subject, async ({ open, stub }) => {
            const named = (call: ReceivedCall): Answer =>
              signature.keyOf(call) === keys[1] ? (keyInfo.ofSecond ?? usual) : usual;
            stub.on(keyInfo.route, (call, response) => answering(named(call))(call, response));
            const ready = await Promise.all(
              [0, 1].map(async (account) => {
                const session = await open({ account });
                return { session, submission: await kind.prepare(session) };
              }),
            );
            stub.forget();
            stub.on(route, forFirstAccount(subject, accepted));
            stub.on(keyInfo.route, info);
            const [outcomes, infos] = await Promise.all([
              Promise.all(ready.map(({ session, submission }) => submission.send(session, () => undefined))),
              Promise.allSettled(ready.map(({ session }) => session.keyInfo())),
            ]);
            expect(outcomes.map((outcome) => outcome.kind)).toEqual(['accepted', 'unknown']);
            expect(infos.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
            for (const each of [route, keyInfo.route]) {
              expect(stub.calls(each).map(signature.keyOf)).toEqual(expect.arrayContaining(keys));
              expect(stub.calls(each)).toHaveLength(keys.length);
            }
          }),
      };
    });
    return [reads, ...submissions];
  },
};

const beside: Rule = {
  id: 'EX-44',
  title: 'concurrent calls of one session run together only where nonces need not rise, and each gets its own response',
  checks: (subject) => [
    {
      name: 'reads',
      run: () =>
        ContractBench.run(subject, async ({ open, stub }) => {
          const session = await open();
          if (subject.contract.noncesMustRise) expect(session.asksInParallel).toBe(false);
          const alone = [await session.keyInfo(), await session.balances()];
          let inFlight = 0;
          let most = 0;
          for (const [route, { answer }] of Object.entries(subject.contract.calls)) {
            stub.on(route, (call, response) => {
              inFlight += 1;
              most = Math.max(most, inFlight);
              setTimeout(() => {
                inFlight -= 1;
                answering(answer)(call, response);
              }, DELAY_MS);
            });
          }
          const together = await Promise.all([session.keyInfo(), session.balances(), session.keyInfo()]);
          expect(together).toEqual([...alone, alone[0]]);
          expect(most > 1).toBe(session.asksInParallel);
        }),
    },
  ],
};

export const wireRules: readonly Rule[] = [
  prepared,
  amounts,
  orderTerms,
  estimates,
  destinations,
  unknownNetworks,
  apart,
  beside,
];
