import type { CcxtInstance } from './ccxt-class.js';

/** Credentials in the library's words; what an exchange does not need is left out. */
export interface CcxtCredentials {
  apiKey?: string;
  secret?: string;
  password?: string;
  uid?: string;
  /** In place of all others: a bearer token. */
  token?: string;
}

/**
 * Makes the instance of each credential after one that has none. The library's constructor copies a thousand functions
 * and names into every instance, under two spellings: 2 ms of computing and 140 KB. Here they are in one object behind
 * all instances, and each owns only what is its own: its credentials, its options, and everything that is filled later.
 *
 * Nothing can pass from one credential to another through what they share: it holds no credential, and all data in it
 * are frozen, so that code which would write there throws. The library's functions for single endpoints, which stay bound
 * to the instance that made them, are left out: endpoints are called through `request` and `sign`.
 */
export class CcxtTemplate {
  /** The prototype of all instances. */
  private readonly shared: object;
  /** What each instance gets a copy of. */
  private readonly own: Record<string, unknown> = {};

  /** @param first without credentials, and without functions for single endpoints. */
  constructor(first: CcxtInstance) {
    const shared: Record<string, unknown> = Object.create(Object.getPrototypeOf(first) as object) as typeof shared;
    for (const [name, value] of Object.entries(first)) {
      if (isData(value) && (name === 'options' || isEmpty(value))) this.own[name] = value;
      else if (isData(value)) shared[name] = frozen(value);
      // Objects of other classes belong to the instance that made them: its limiter, which nobody uses.
      else if (typeof value !== 'object' || value === null) shared[name] = value;
    }
    this.shared = shared;
  }

  create(credentials: CcxtCredentials): CcxtInstance {
    const instance = Object.create(this.shared) as CcxtInstance;
    return Object.assign(instance, copyOfAll(this.own), credentials);
  }
}

type Data = Record<string, unknown> | unknown[];

function isData(value: unknown): value is Data {
  return Array.isArray(value) || (typeof value === 'object' && value?.constructor === Object);
}

function isEmpty(data: Data): boolean {
  return Object.keys(data).length === 0;
}

function frozen(data: Data): Readonly<Data> {
  for (const value of Object.values(data)) if (isData(value) && !Object.isFrozen(value)) frozen(value);
  return Object.freeze(data);
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isData(value) ? copyOfAll(value) : value;
}

function copyOfAll(data: object): object {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyOf(value)]));
}
