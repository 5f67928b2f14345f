import { createInterface } from 'node:readline';
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
  return async (name, label) => {
    const given = valueOf(name);
    if (given !== undefined && given !== '') return given;
    if (input.isTTY === true) return hidden(label, input, output);
    lines ??= createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    return readKey(lines, `${label}: set ${name}, or write it to standard input, one value a line`);
  };
}

async function readKey(lines: AsyncIterator<string>, problem: string): Promise<string> {
  let text = '';
  do {
    const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
    if (done === true || text.length > SECRET_MAX) break;
    text += `${value}\n`;
  } while (text.startsWith('-----BEGIN') && !/-----END [A-Z ]+-----\s*$/.test(text));
  if (text.trim() === '') throw new Error(`no value for the ${problem}`);
  return text.trim();
}

/** Reads one line from a terminal, and writes none of its characters. */
async function hidden(label: string, input: Streams['input'], output: Streams['output']): Promise<string> {
  output.write(`${label} (it is not shown): `);
  // readline writes the characters that it reads, so it gets an output that shows none of them.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: silent, terminal: true });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      reader.once('line', resolve);
      reader.once('SIGINT', () => reject(new Error('stopped')));
      reader.once('close', () => reject(new Error(`no value for the ${label}`)));
    });
    return text.trim();
  } finally {
    reader.close();
    output.write('\n');
  }
}
