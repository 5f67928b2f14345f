import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, type AnyNode, type CallExpression, type Literal } from 'acorn';
import { build, type BuildOptions } from 'esbuild';

/** Writes a bundle in which classes keep their names. */
export async function bundle(options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...options, write: false });
  for (const { path: file, text, contents } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, file.endsWith('.js') ? withoutNeedlessNaming(text) : contents);
  }
}

/**
 * esbuild's option `keepNames` adds a call that sets the name of each function and class. For an inner function, the
 * call runs whenever the outer function is called, which took 5 % of the CPU time of a read. This function removes the
 * calls for functions to which JavaScript gives the same name without them. Spaces replace the calls, so that source
 * maps stay correct.
 */
function withoutNeedlessNaming(text: string): string {
  const characters = text.split('');
  const erase = (start: number, end: number): void => {
    for (let at = start; at < end; at += 1) if (characters[at] !== '\n') characters[at] = ' ';
  };
  visit(parse(text, { ecmaVersion: 'latest', sourceType: 'module' }), null, ({ end, callee, given }) => {
    // The parentheses stay, because a function may be a part of a longer expression.
    erase(callee.start, callee.end);
    erase(text.lastIndexOf(',', given.start), end - 1);
  });
  return characters.join('');
}

interface NeedlessNaming extends CallExpression {
  /** The name. */
  given: Literal;
}

/** @param name the name that JavaScript gives an anonymous function in the place of `node` */
function visit(node: unknown, name: string | null, found: (call: NeedlessNaming) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, null, found);
    return;
  }
  const known = node as AnyNode;
  if (known.type === 'CallExpression' && isNaming(known)) {
    const [named, given] = known.arguments;
    if (named !== undefined && given?.type === 'Literal' && nameOf(named, name) === given.value) {
      found({ ...known, given });
    }
  }
  const place = namedPlace(known);
  for (const child of Object.values(node)) {
    visit(child, place !== null && child === place.value ? place.name : null, found);
  }
}

function isNaming({ callee }: CallExpression): boolean {
  return callee.type === 'Identifier' && callee.name === '__name';
}

/** Returns the name that a function has without being named; null = unknown. */
function nameOf(named: AnyNode, ofPlace: string | null): string | null {
  if (named.type === 'Identifier') return named.name;
  if (named.type === 'ArrowFunctionExpression') return ofPlace;
  return named.type === 'FunctionExpression' ? (named.id?.name ?? ofPlace) : null;
}

/** Returns the value that gets its name from its place in `node`, such as a variable or a property, and that name. */
function namedPlace(node: AnyNode): { value: unknown; name: string } | null {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
    return { value: node.init, name: node.id.name };
  }
  if (node.type === 'AssignmentExpression' && node.left.type === 'Identifier') {
    return { value: node.right, name: node.left.name };
  }
  if (node.type === 'Property' && !node.computed && node.key.type === 'Identifier') {
    return { value: node.value, name: node.key.name };
  }
  return null;
}
