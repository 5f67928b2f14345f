import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';

/** Asks for a secret. @param name the environment variable that contains it @param label its name for people */
export type AskSecret = (name: SecretName, label: string) => Promise<string>;

export type SecretName = `CHECK_API_${string}`;

interface Streams {
  readonly input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  readonly output: NodeJS.WritableStream;
}

/** Maximum length of a secret. */
const SECRET_MAX = 10_000;

/**
 * Returns a function that reads secrets from the environment, else from the terminal without showing them, else from
 * the lines of standard input. A private key of several lines (PEM) is read to its end. Arguments of a command line are
 * visible to other users of the machine, so they never contain a secret.
 */
export function secretReader(valueOf: (name: SecretName) => string | undefined, { input, output }: Streams): AskSecret {
  let lines: AsyncIterator<string> | null = null;
  const typed: string[] = [];
  return async (name, label) => {
    const given = valueOf(name);
    if (given !== undefined && given !== '') return given;
    if (input.isTTY === true) return hidden(label, { input, output }, typed);
    lines ??= createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    return readKey(lines, `${label}: set ${name}, or write it to standard input, one value a line`);
  };
}

async function readKey(lines: Pick<AsyncIterator<string>, 'next'>, problem: string): Promise<string> {
  let text = '';
  do {
    const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
    if (done === true || text.length > SECRET_MAX) break;
    text += `${value}\n`;
  } while (text.startsWith('-----BEGIN') && !/-----END [A-Z ]+-----\s*$/.test(text));
  if (text.trim() === '') throw new Error(`no value for the ${problem}`);
  return text.trim();
}

/**
 * Reads a secret from a terminal, and writes none of its characters.
 * @param typed the lines that were typed or pasted beyond the secrets that were asked for
 */
async function hidden(label: string, { input, output }: Streams, typed: string[]): Promise<string> {
  // readline writes the characters that it reads, so it gets an output that shows none of them. It turns off the echo
  // of the terminal, so it begins before the question, because a person may type at once.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: true });
  const lines = linesOf(reader, typed);
  output.write(`${label} (it is not shown): `);
  try {
    return await readKey(lines, label);
  } finally {
    reader.close();
    output.write('\n');
  }
}

/** The lines in `typed`, and those that follow. */
function linesOf(reader: Interface, typed: string[]): Pick<AsyncIterator<string>, 'next'> {
  let end: 'closed' | 'stopped' | null = null;
  let wake = (): void => undefined;
  reader.on('line', (line) => {
    typed.push(line);
    wake();
  });
  const endWith = (how: 'closed' | 'stopped') => () => {
    end ??= how;
    wake();
  };
  reader.once('SIGINT', endWith('stopped'));
  reader.once('close', endWith('closed'));
  return {
    next: async () => {
      if (typed.length === 0 && end === null) await new Promise<void>((resolve) => (wake = resolve));
      if (end === 'stopped') throw new Error('stopped');
      const value = typed.shift();
      return value === undefined ? { done: true, value } : { done: false, value };
    },
  };
}
