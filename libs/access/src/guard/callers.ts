import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ApiKeyLookup } from '../keys/api-key-lookup.js';
import { API_KEY_HEADER } from './credential-headers.js';

/** All requests whose API key has not been found yet: together they have the share of one caller. */
const UNKNOWN_KEYS = 'unknown keys';

/** Names the caller of a request before its credentials are checked, so that callers get fair shares of one process. */
@Injectable()
export class Callers {
  private readonly known = new WeakMap<object, string>();

  constructor(private readonly lookup: ApiKeyLookup) {}

  /** Returns null for a request without an API key. */
  of(request: Pick<IncomingMessage, 'headers'>): string | null {
    const key = request.headers[API_KEY_HEADER];
    if (typeof key !== 'string') return null;
    const known = this.known.get(request);
    if (known !== undefined) return known;
    const caller = this.lookup.isFamiliar(key) ? key : UNKNOWN_KEYS;
    // The name stays the same until the request has ended, also when the key is found in the meantime.
    this.known.set(request, caller);
    return caller;
  }
}
