import { mock } from 'node:test';
import { ExchangeClient, type Endpoint } from '../client/exchange-client.js';
import { contractSubjects, type Subject } from '../testing/contract/contract-subjects.js';
import { documentedHistories } from '../testing/contract/documented-histories.js';
import { HISTORY_KINDS } from '../testing/contract/field-rules.js';
import { historyRequestRules } from '../testing/contract/history-request-rules.js';
import { verdictOf } from '../testing/contract/mutations.js';
import { exchanges } from './exchanges.js';

type Params = Readonly<Record<string, string>>;
type Change = (params: Params) => Params;

const subjects = (await contractSubjects(Object.values(exchanges))).filter(
  ({ declaration }) => documentedHistories[declaration.spec.id] !== undefined,
);
const call: ExchangeClient['call'] = Reflect.get(ExchangeClient.prototype, 'call');

/** Whether a route of a contract is the route of an endpoint, or its route with values in place of its parameters. */
function isRouteOf({ method, path }: Endpoint, route: string): boolean {
  const [parts, own] = [`${method} ${path}`.split('/'), route.split('/')];
  return parts.length === own.length && parts.every((part, index) => part === own[index] || /^\{.+\}$/.test(part));
}

/** Runs `work` while `change` changes the parameters of requests of the history before they are signed. */
async function whileChanged<T>({ contract }: Subject, change: Change, work: () => Promise<T>): Promise<T> {
  const routes = HISTORY_KINDS.flatMap((kind) => Object.keys(contract.history?.listing(kind, []) ?? {}));
  const mocked = mock.method(
    ExchangeClient.prototype,
    'call',
    function (this: ExchangeClient, ...args: Parameters<typeof call>) {
      const [endpoint, params, read] = args;
      const isOfHistory = routes.some((route) => isRouteOf(endpoint, route));
      return call.call(this, endpoint, isOfHistory ? change(params) : params, read);
    },
  );
  try {
    return await work();
  } finally {
    mocked.mock.restore();
  }
}

const without = (params: Params, name: string): Params =>
  Object.fromEntries(Object.entries(params).filter(([each]) => each !== name));

/** For each parameter: none, and a unit more and less. For each two parameters: their values exchanged. */
function mutantsOf(names: readonly string[]): [name: string, change: Change][] {
  const shifted = (name: string, by: bigint): Change => {
    return (params) => {
      const { [name]: value } = params;
      if (value === undefined) return params;
      return { ...params, [name]: /^\d+$/.test(value) ? String(BigInt(value) + by) : `${value}1` };
    };
  };
  const exchanged = (one: string, other: string): Change => {
    return (params) => {
      const { [one]: a, [other]: b } = params;
      return a === undefined || b === undefined ? params : { ...params, [one]: b, [other]: a };
    };
  };
  return names.flatMap((name, index) => [
    [`no ${name}`, (params) => without(params, name)],
    [`a later ${name}`, shifted(name, 1n)],
    [`an earlier ${name}`, shifted(name, -1n)],
    ...names.slice(index + 1).map((other): [string, Change] => [`${name} for ${other}`, exchanged(name, other)]),
  ]);
}

describe('the rule of requests of histories', () => {
  it.each(subjects.map((subject) => [subject.name, subject] as const))(
    'detects when the connector of %s leaves out, changes or exchanges any parameter',
    async (_name, subject) => {
      const checks = historyRequestRules.flatMap((rule) => rule.checks(subject));
      const missed: string[] = [];
      let total = 0;
      for (const check of checks) {
        const sent = new Map<string, Set<string>>();
        const note: Change = (params) => {
          const names = Object.keys(params).sort();
          for (const name of names) sent.set(name, new Set([...(sent.get(name) ?? []), ...names]));
          return params;
        };
        await whileChanged(subject, note, check.run);
        for (const [name, change] of mutantsOf([...sent.keys()])) {
          const [one = '', other] = name.split(' for ');
          if (other !== undefined && sent.get(one)?.has(other) !== true) continue;
          total += 1;
          const verdict = await whileChanged(subject, change, () => verdictOf([check]));
          if (verdict === 'missed') missed.push(`${check.name}: ${name}`);
        }
      }
      expect(missed).toEqual([]);
      expect(total).toBeGreaterThan(15);
    },
  );
});
