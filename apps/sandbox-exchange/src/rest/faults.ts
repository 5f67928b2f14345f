import type { AddressRecord, HistoryForm, HistoryRecord, Protocol, Reply } from '../faults/protocol.js';
import { refusalReply, type RestEndpoint, type RestProtocol } from './protocol.js';
import { Refusal, type Reason } from './refusal.js';

type Entry = Readonly<Record<string, unknown>>;

/** How faults change the responses of each endpoint, by the name of the endpoint. */
export function restFaults(rest: RestProtocol): ReadonlyMap<string, Protocol> {
  const named = Object.entries(rest.endpoints).map(([name, endpoint]) => [`${rest.id}.${name}`, endpoint] as const);
  return new Map(named.map(([name, endpoint]) => [name, faultsOf(rest, name, endpoint)]));
}

function faultsOf(rest: RestProtocol, name: string, { shows }: RestEndpoint): Protocol {
  const refused = (reason: Reason): Reply => refusalReply(rest, new Refusal(reason));
  const refusedWith = (code: string): Reply => ({
    status: rest.errorStatus,
    body: rest.failure(code, 'an armed fault causes this error'),
  });
  const refusalOr = (reason: Reason) => (code: string | undefined) =>
    code === undefined ? refused(reason) : refusedWith(code);
  return {
    refusals: {
      rate_limit: () => refused('rate_limited'),
      definite_refusal: refusalOr('insufficient_funds'),
      history_errors: refusalOr('system_error'),
      revoked_key: () => refused('key_revoked'),
      ip_refused: () => refused('ip_not_allowed'),
      service_unavailable: () => refused('unavailable'),
    },
    emptied: () => rest.success(rest.nothing),
    errorIn: rest.errorIn,
    ...((shows === 'transfers' || shows === 'orders') && { history: historyForm(rest) }),
    ...(shows === 'orders' && { orders: { endpoints: [name], openedUpTo: openedUpTo(rest) } }),
    ...(shows === 'addresses' && { addresses: addressForm(rest, name) }),
  };
}

/** Returns the body with changed records; the body of an error stays as it is. */
function mapped(rest: RestProtocol, body: unknown, change: (records: readonly Entry[]) => readonly Entry[]): unknown {
  const content = rest.contentOf(body);
  if (rest.errorIn(body) !== null || typeof content !== 'object' || content === null) return body;
  if (Array.isArray(content)) return rest.success(change(content as Entry[]));
  // A single order may contain a list, such as that of its fees.
  if (rest.fields.openedAt in content) return rest.success(change([content as Entry])[0] ?? rest.nothing);
  const [name, list] = Object.entries(content).find(([, value]) => Array.isArray(value)) ?? [];
  if (name !== undefined) return rest.success({ ...content, [name]: change(list as Entry[]) });
  return rest.success(change([content as Entry])[0] ?? rest.nothing);
}

function historyForm(rest: RestProtocol): HistoryForm {
  const { amount, fee, timeOf } = rest.fields;
  return {
    mapped: (body, change) =>
      mapped(rest, body, (entries) => {
        if (!entries.every((entry) => amount in entry)) return entries;
        const records = entries.map((entry) => ({ ...entry, amount: entry[amount], fee: entry[fee] ?? '0' }));
        return change(records as HistoryRecord[]).map((one) => ({ ...one, [amount]: one.amount, [fee]: one.fee }));
      }),
    timeOf: (record) => timeOf(record as HistoryRecord & Entry),
  };
}

function openedUpTo(rest: RestProtocol): (body: unknown, until: number) => unknown {
  return (body, until) => {
    let isHidden = false;
    const shown = mapped(rest, body, (orders) => {
      const old = orders.filter((order) => Number(order[rest.fields.openedAt]) <= until);
      isHidden = old.length < orders.length;
      return old;
    });
    return isHidden ? refusalReply(rest, new Refusal('order_unknown'))?.body : shown;
  };
}

function addressForm(rest: RestProtocol, endpoint: string): NonNullable<Protocol['addresses']> {
  const { address, tags } = rest.fields;
  return {
    endpoint,
    withoutTag: (record) =>
      ({ ...Object.fromEntries(Object.entries(record).filter(([name]) => !tags.includes(name))) }) as AddressRecord,
    mapped: (body, change) =>
      mapped(rest, body, (entries) =>
        entries.map((entry) => {
          const changed = change({ ...entry, address: String(entry[address]) });
          return { ...changed, [address]: changed.address };
        }),
      ),
  };
}
