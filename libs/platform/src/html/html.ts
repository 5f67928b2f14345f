/** Text that is already HTML and is not escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[];

/** Fills a template, and escapes every value that is not `Html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const texts = parts.map((part, index) => part + textOf(values[index] ?? ''));
  return new Html(texts.join(''));
}

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return value.map(({ text }) => text).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
