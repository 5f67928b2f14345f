export type Method = (this: Record<string, unknown>, ...args: unknown[]) => unknown;

/** The compiled product: this file is dist/apps/prove/src/processes/preload/product.js. */
const dist = new URL('../../../../../', import.meta.url);

/** Returns the prototype of a class of the compiled product. @param file the path below `dist`. */
async function prototypeOf(file: string, className: string): Promise<Record<string, Method>> {
  const module = (await import(new URL(file, dist).href)) as Record<string, { prototype: Record<string, Method> }>;
  const found = module[className];
  if (found === undefined) throw new Error(`${file} has no ${className}`);
  return found.prototype;
}

/** Wraps a method of a compiled class. @throws Error when the method does not exist, because it was renamed. */
export async function wrap(
  file: string,
  className: string,
  method: string,
  around: (original: Method) => Method,
): Promise<void> {
  const prototype = await prototypeOf(file, className);
  const original = prototype[method];
  if (original === undefined) throw new Error(`${className} has no method ${method}`);
  prototype[method] = around(original);
}
