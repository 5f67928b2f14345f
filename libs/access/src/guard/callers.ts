import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApiKeyLookup, nameOfKey, type KeyName } from '../keys/api-key-lookup.js';
import { API_KEY_HEADER } from './credential-headers.js';

/**
 * The caller of all requests whose API key has not been found yet. Together these requests get the share of one caller.
 */
const UNKNOWN_KEYS = 'unknown keys';

interface Caller {
  caller: string;
  key: string;
  keyName: KeyName;
}

/** Names the caller of a request before its credentials are checked, so that callers get fair shares of one process. */
@Injectable()
export class Callers {
  private readonly known = new WeakMap<object, Caller>();

  constructor(private readonly lookup: ApiKeyLookup) {}

  /** Returns the caller of a request; null = the request has no API key. */
  of(request: Pick<IncomingMessage, 'headers'>): string | null {
    const known = this.known.get(request);
    if (known !== undefined) return known.caller;
    const key = request.headers[API_KEY_HEADER];
    if (typeof key !== 'string') return null;
    const keyName = nameOfKey(key);
    // The caller of a request does not change while it runs, even if its key becomes familiar meanwhile.
    const caller = this.lookup.isFamiliar(keyName) ? keyName : UNKNOWN_KEYS;
    this.known.set(request, { caller, key, keyName });
    return caller;
  }

  /** Returns the name of the request's API key. It is not computed again when `of` has computed it. */
  keyNameOf(request: object, key: string): KeyName {
    const known = this.known.get(request);
    return known?.key === key ? known.keyName : nameOfKey(key);
  }
}
