import type { CcxtInstance } from './ccxt-class.js';
import type { CcxtCredentials } from './ccxt-credentials.js';

/**
 * Creates the instances of all credentials from one instance without credentials. The library's constructor copies a
 * thousand functions and names into every instance, which takes 2 ms and 140 KB. The template puts these members into
 * one prototype. Each instance owns only its credentials, its options, and the objects that are filled later.
 *
 * Credentials cannot leak through the prototype. It contains no credentials, and its data are frozen, so that writing
 * to them throws. The library's endpoint functions stay bound to the instance that made them, so they are left out;
 * endpoints are called through `request` and `sign`.
 */
export class CcxtTemplate {
  /** The prototype of all instances. */
  private readonly shared: object;
  /** Copied into each instance. */
  private readonly own: Record<string, unknown> = {};

  /** @param first an instance without credentials and without endpoint functions. */
  constructor(first: CcxtInstance) {
    const shared: Record<string, unknown> = Object.create(Object.getPrototypeOf(first) as object) as typeof shared;
    for (const [name, value] of Object.entries(first)) {
      if (isData(value) && (name === 'options' || isEmpty(value))) this.own[name] = value;
      else if (isData(value)) shared[name] = frozen(value);
      // Objects of other classes belong to the instance that made them. The only one is its limiter, which is not used.
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
