import type { Exchange as CcxtInstance } from 'ccxt';
import type { CcxtCredentials } from './ccxt-credentials.js';

/**
 * Creates the instances of all connectors and credentials from one instance of the library. The library's constructor
 * copies a thousand functions and names into every instance, which takes 5 ms and 140 KB. The template puts these
 * members into one prototype. A connector adds its addresses, options and transport. Each instance owns only its
 * credentials, its options, and the objects that are filled later.
 *
 * Credentials cannot leak through the prototypes. They contain no credentials, and their data are frozen, so that
 * writing to them throws. The library's endpoint functions stay bound to the instance that made them, so they are left
 * out; endpoints are called through `request` and `sign`.
 */
export class CcxtTemplate {
  private constructor(
    /** The prototype of all instances. */
    private readonly shared: CcxtInstance,
    /** The members that are copied into each instance. */
    private readonly own: Readonly<Record<string, unknown>>,
  ) {}

  /** @param first an instance without credentials and without endpoint functions. */
  static of(first: CcxtInstance): CcxtTemplate {
    const own: Record<string, unknown> = {};
    const shared: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(first)) {
      if (isData(value) && (name === 'options' || isEmpty(value))) own[name] = withFrozenMembers(value);
      else if (isData(value)) shared[name] = frozen(value);
      // An instance of a class is left out, because it belongs to the ccxt instance that made it. The only such object
      // is the library's limiter, which we do not use.
      else if (typeof value !== 'object' || value === null) shared[name] = value;
    }
    return new CcxtTemplate(heirOf(Object.getPrototypeOf(first) as CcxtInstance, shared), own);
  }

  /**
   * Returns a template with additional members. The original is unchanged.
   * @param members the members to add. Objects are merged into those of the library, as the library's constructor does
   * @param hidden members that the library does not know
   */
  with(members: Readonly<Record<string, unknown>>, hidden: object): CcxtTemplate {
    const own = { ...this.own };
    const shared: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(members)) {
      const merged = isData(value) ? (this.shared.deepExtend(this.memberOf(name), value) as Data) : value;
      if (name in own) own[name] = isData(merged) ? withFrozenMembers(merged) : merged;
      else shared[name] = isData(merged) ? frozen(merged) : merged;
    }
    return new CcxtTemplate(heirOf(this.shared, { ...shared, ...hidden }), own);
  }

  create(credentials: CcxtCredentials): CcxtInstance {
    const own = Object.entries(this.own).map(([name, value]) => [name, shallowCopyOf(value)]);
    return heirOf(this.shared, { ...(Object.fromEntries(own) as object), ...credentials });
  }

  private memberOf(name: string): unknown {
    return this.own[name] ?? (Reflect.get(this.shared, name) as unknown);
  }
}

/** An object with these members of its own, which inherits all other members from the parent. */
function heirOf(parent: CcxtInstance, members: object): CcxtInstance {
  return Object.assign(Object.create(parent) as CcxtInstance, members);
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

/**
 * Freezes the objects inside the data. The data itself stays writable, because ccxt's classes set options, for example
 * after the credentials have worked for the first time. They do not change the objects inside.
 */
function withFrozenMembers(data: Data): Data {
  for (const value of Object.values(data)) if (isData(value)) frozen(value);
  return data;
}

function shallowCopyOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return isData(value) ? { ...value } : value;
}
