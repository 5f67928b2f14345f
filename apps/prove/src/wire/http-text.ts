/** A request as the client wrote it. */
export interface RequestText {
  path: string;
  headers: ReadonlyMap<string, string>;
  params: Readonly<Record<string, string>>;
  rawBody: string;
}

/** Splits the bytes that were written on one connection into requests. */
export class RequestReader {
  private text = '';

  /** @returns the requests that are complete now. */
  read(bytes: Buffer): RequestText[] {
    this.text += bytes.toString('latin1');
    const whole: RequestText[] = [];
    for (let next = this.next(); next !== null; next = this.next()) whole.push(next);
    return whole;
  }

  private next(): RequestText | null {
    const end = this.text.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [first = '', ...lines] = this.text.slice(0, end).split('\r\n');
    const headers = new Map(lines.map(headerOf));
    const length = Number(headers.get('content-length') ?? '0');
    const from = end + 4;
    if (this.text.length < from + length) return null;
    const rawBody = this.text.slice(from, from + length);
    this.text = this.text.slice(from + length);
    const [, target = ''] = first.split(' ');
    return {
      path: target.split('?')[0] ?? '',
      headers,
      params: Object.fromEntries(new URLSearchParams(rawBody)),
      rawBody,
    };
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

export function responseText(status: number, body: string, at: number, headers = ''): string {
  const date = `date: ${new Date(at).toUTCString()}\r\n`;
  return `HTTP/1.1 ${status} X\r\n${date}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
