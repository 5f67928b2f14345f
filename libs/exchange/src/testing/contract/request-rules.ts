import type { WithdrawalInstruction } from '../../port/exchange.port.js';
import type { OrderType } from '../../port/trading.port.js';
import type { ReceivedCall } from '../stub-exchange.js';
import { ContractBench } from './contract-bench.js';
import type { Subject } from './contract-subjects.js';
import { documentedRequests } from './documented-requests.js';
import type { Check, Rule } from './rule.js';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The headers and parameters of a request. Numbers and booleans of JSON are texts. */
function statedIn({ headers, params, json }: ReceivedCall): Readonly<Record<string, unknown>> {
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  const texts = members.map(([name, value]): [string, string] => [name, textOf(value)]);
  return { ...headers, ...params, ...Object.fromEntries(texts) };
}

/** Expects that a request states exactly these values. An undefined value must be absent. */
function expectStated(call: ReceivedCall | undefined, expected: Readonly<Record<string, string | undefined>>): void {
  const sent = call === undefined ? {} : statedIn(call);
  const stated = Object.fromEntries(Object.keys(expected).map((name) => [name, sent[name]]));
  expect(stated).toEqual(expected);
}

function documentedOf<Kind extends 'withdrawal' | 'order'>({ declaration }: Subject, kind: Kind) {
  const { id } = declaration.spec;
  const documented = documentedRequests[id]?.[kind];
  if (documented === undefined) throw new Error(`documented-requests.ts has no ${kind} of ${id}`);
  return documented;
}

function withdrawalCheck(subject: Subject, route: string, instruction: WithdrawalInstruction): Check {
  const documented = documentedOf(subject, 'withdrawal');
  return {
    name: `a withdrawal of ${instruction.asset}`,
    run: () =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const { withdrawals } = await open();
        const prepared = await withdrawals?.prepare(instruction);
        if (withdrawals === undefined || prepared === undefined) throw new Error('the session has no withdrawals');
        await withdrawals.submit(prepared, { beforeSend: () => undefined });
        const deadlineMs = prepared.submissionDeadline?.getTime() ?? NaN;
        expectStated(stub.calls(route)[0], documented({ ...instruction, deadlineMs }));
      }),
  };
}

function orderCheck(subject: Subject, type: OrderType): Check {
  const documented = documentedOf(subject, 'order');
  return {
    name: `a ${type} order`,
    run: () =>
      ContractBench.run(subject, async ({ open, stub }) => {
        const { trading } = await open();
        const { orders } = subject.contract;
        if (trading === undefined || orders === undefined) throw new Error('the session has no orders');
        const { instruction, route } = orders;
        const clientOrderId = trading.newClientOrderId('ours');
        const submissionDeadline = new Date(Date.now() + 30_000);
        const price = type === 'market' ? null : instruction.price;
        const prepared = trading.prepare({ ...instruction, type, price, clientOrderId, submissionDeadline });
        stub.forget();
        await trading.place(prepared, { beforeSend: () => undefined });
        const deadlineMs = prepared.submissionDeadline?.getTime() ?? NaN;
        expectStated(stub.calls()[0], documented({ route, type, clientOrderId, deadlineMs }));
      }),
  };
}

const stated: Rule = {
  id: 'EX-56',
  title: 'a submission states our reference, the network, the paying account and every other term as documented',
  needs: ['withdrawals', 'trading'],
  checks: (subject) => {
    const { withdrawals, orders } = subject.contract;
    const instructions = [withdrawals?.instruction, withdrawals?.tagged].filter((one) => one !== undefined);
    const types = orders?.limitOnly === true ? (['limit'] as const) : (['limit', 'market'] as const);
    return [
      ...instructions.flatMap((one) => (one === null ? [] : withdrawalCheck(subject, withdrawals?.route ?? '', one))),
      ...(orders === undefined ? [] : types.map((type) => orderCheck(subject, type))),
    ];
  },
};

export const requestRules: readonly Rule[] = [stated];
