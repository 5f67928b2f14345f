import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './address-rules.js';
import { TargetRefused } from './target-refused.js';

type Resolve = (hostname: string, onResult: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (hostname, onResult) => lookup(hostname, { all: true, verbatim: true }, onResult);

/**
 * A `lookup` for sockets that fails unless every address of the name is public. The socket connects to the addresses
 * that this look-up returns, so a name that changes its address between two look-ups cannot lead elsewhere.
 * @param resolve the look-up of the operating system; tests replace it.
 */
export function publicLookup(resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? new Error(`${hostname} has no address`), []);
      if (!addresses.every(({ address }) => isPublicAddress(address))) return callback(new TargetRefused(hostname), []);
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
