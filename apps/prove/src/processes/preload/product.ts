import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { distDir } from '../installation/dist-dir.js';
import type { WrappedFile } from '../wrapped-files.js';

export type Method = (this: Record<string, unknown>, ...args: unknown[]) => unknown;

/** Returns the prototype of a class of the product. @param file one of `WRAPPED_FILES`. */
async function prototypeOf(file: WrappedFile, className: string): Promise<Record<string, Method>> {
  const module = (await import(pathToFileURL(path.join(distDir, file)).href)) as Record<
    string,
    { prototype: Record<string, Method> }
  >;
  const found = module[className];
  if (found === undefined) throw new Error(`${file} has no ${className}`);
  return found.prototype;
}

/** Wraps a method of a class of the product. @throws Error when the method does not exist, because it was renamed. */
export async function wrap(
  file: WrappedFile,
  className: string,
  method: string,
  around: (original: Method) => Method,
): Promise<void> {
  const prototype = await prototypeOf(file, className);
  const original = prototype[method];
  if (original === undefined) throw new Error(`${className} has no method ${method}`);
  prototype[method] = around(original);
}
