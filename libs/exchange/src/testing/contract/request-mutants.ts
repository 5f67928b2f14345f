import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { inRequest, inTrading, type Mutation } from './mutations.js';
import { prepareOrder, prepareWithdrawal } from './submissions.js';

type Request = Readonly<Record<string, string>>;

/** A deliberate fault in one parameter of the requests that move money, which a connector of any exchange can have. */
export interface RequestMutant {
  readonly name: string;
  /** The rules that compare requests with the documentation. One of them must find the fault. */
  readonly caughtBy: readonly string[];
  readonly mutate: Mutation;
}

const inOrderRequest = (change: (request: Request) => Record<string, string>): Mutation =>
  inTrading((trading) => ({
    prepare: (order) => {
      const prepared = trading.prepare(order);
      return { ...prepared, request: change(prepared.request) };
    },
  }));

/** The parameter with the time of a request. A time that is a millisecond later is as good. */
const TIME = ' timestamp';

/** Another value of the same form. */
function otherThan(value: string): string {
  if (value === 'true' || value === 'false') return String(value === 'false');
  return /^\d+$/.test(value) ? String(BigInt(value) + 1n) : `${value}1`;
}

function without(request: Request, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(request).filter(([each]) => each !== name));
}

function mutantsOf(
  names: ReadonlySet<string>,
  caughtBy: RequestMutant['caughtBy'],
  inRequests: typeof inOrderRequest,
): RequestMutant[] {
  const missing = [...names].map((name) => ({
    name: `sends no ${name}`,
    caughtBy,
    mutate: inRequests((request) => without(request, name)),
  }));
  const changed = [...names].map((name) => ({
    name: `sends another ${name}`,
    caughtBy,
    mutate: inRequests((request) => {
      const { [name]: value } = request;
      return value === undefined ? { ...request } : { ...request, [name]: otherThan(value) };
    }),
  }));
  return [...missing, ...changed.filter(({ name }) => !name.endsWith(TIME))];
}

/** For each parameter of a withdrawal and of an order: a connector that leaves it out, and one that changes it. */
export async function requestMutants(subject: Subject): Promise<RequestMutant[]> {
  const { withdrawals, orders } = subject.contract;
  const [ofWithdrawals, ofOrders] = [new Set<string>(), new Set<string>()];
  const note = (names: Set<string>, { request }: { request: Request }): void => {
    for (const name of Object.keys(request)) names.add(name);
  };
  await ContractBench.run(subject, async ({ open }) => {
    const session = await open();
    for (const one of [withdrawals?.instruction, withdrawals?.tagged]) {
      if (one !== undefined && one !== null) note(ofWithdrawals, (await prepareWithdrawal(session, one)).prepared);
    }
    if (orders === undefined) return;
    note(ofOrders, prepareOrder(session, orders.instruction).prepared);
    if (orders.limitOnly === true) return;
    note(ofOrders, prepareOrder(session, { ...orders.instruction, type: 'market', price: null }).prepared);
  });
  return [
    ...mutantsOf(ofWithdrawals, ['EX-56', 'EX-21', 'EX-18'], inRequest),
    ...mutantsOf(ofOrders, ['EX-56', 'EX-19'], inOrderRequest),
  ];
}
