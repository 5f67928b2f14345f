import type { AddressRecord, HistoryRecord, Protocol, Reply } from '../faults/protocol.js';
import type { Reason } from './refusal.js';

type Entry = Readonly<Record<string, unknown>>;

/** How faults change the responses of a protocol. */
interface FaultForm {
  readonly refused: (reason: Reason) => Reply;
  /** The response with an error code that was given with the fault. */
  readonly refusedWith: (code: string) => Reply;
  readonly emptied: () => unknown;
  readonly errorIn: (body: unknown) => string | null;
  /** Returns the response with other entries; a response without entries stays as it is. */
  readonly mapped: (body: unknown, change: (entries: Entry[]) => Entry[]) => unknown;
  /** Names of fields: of transfers, of orders (`openedAt`), and of deposit addresses. */
  readonly fields: {
    readonly amount: string;
    readonly fee: string;
    readonly time: string;
    readonly openedAt: string;
    readonly address: string;
    readonly tags: readonly string[];
  };
  readonly addressEndpoint: string;
  readonly orderEndpoint: string;
}

/** The form of the faults of a `RestProtocol`. Times are in milliseconds. */
export function restFaults(form: FaultForm): Protocol {
  const { refused, refusedWith, emptied, errorIn, mapped, fields, addressEndpoint, orderEndpoint } = form;
  const { amount, fee, time, openedAt, address, tags } = fields;
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
    ...{ emptied, errorIn },
    history: {
      mapped: (body, change) =>
        mapped(body, (entries) => {
          if (!entries.every((entry) => amount in entry)) return entries;
          const records = entries.map((entry) => ({ ...entry, amount: entry[amount], fee: entry[fee] ?? '0' }));
          return change(records as HistoryRecord[]).map((one) => ({ ...one, [amount]: one.amount, [fee]: one.fee }));
        }),
      timeOf: (record) => Number((record as HistoryRecord & Entry)[time]),
    },
    orders: {
      endpoints: [orderEndpoint],
      openedUpTo: (body, until) => {
        let isHidden = false;
        mapped(body, (entries) => {
          isHidden = entries.some((entry) => Number(entry[openedAt]) > until);
          return entries;
        });
        return isHidden ? refused('order_unknown')?.body : body;
      },
    },
    addresses: {
      endpoint: addressEndpoint,
      withoutTag: (record) =>
        ({ ...Object.fromEntries(Object.entries(record).filter(([name]) => !tags.includes(name))) }) as AddressRecord,
      mapped: (body, change) =>
        mapped(body, (entries) =>
          entries.map((entry) => {
            const changed = change({ ...entry, address: String(entry[address]) });
            return { ...changed, [address]: changed.address };
          }),
        ),
    },
  };
}
