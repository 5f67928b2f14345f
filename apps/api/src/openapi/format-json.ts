const COLUMNS_MAX = 120;

/** JSON in which every object and array that fits in a line is on one line, so that people can read and compare it. */
export function formatJson(value: object): string {
  return `${format(JSON.parse(JSON.stringify(value)), '', 0)}\n`;
}

/** @param used columns that stand before the value in its line. */
function format(value: unknown, indent: string, used: number): string {
  const line = onOneLine(value);
  if (typeof value !== 'object' || value === null || used + line.length < COLUMNS_MAX) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => `${inner}${format(item, inner, inner.length)}`)
    : Object.entries(value).map(([name, member]) => {
        const start = `${inner}${JSON.stringify(name)}: `;
        return `${start}${format(member, inner, start.length)}`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
