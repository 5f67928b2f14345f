import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ApiDocument, DocumentedOperation } from './api-document.js';

/** Returns llms.txt (llmstxt.org): the interface and the guides on one page, for programs that read text. */
export function llmsText(document: ApiDocument, operations: DocumentedOperation[], root: string): string {
  const [summary = '', ...details] = document.info.description.split('\n\n');
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))];
  return [
    `# ${document.info.title}`,
    '',
    `> ${oneLine(summary)}`,
    '',
    ...details.flatMap((paragraph) => [paragraph, '']),
    '## Documents',
    '',
    '- [openapi.json](openapi.json): every operation with its parameters, responses and errors',
    '- [The TypeScript client](clients/typescript/README.md): requests, errors, withdrawals, connects and webhooks in code',
    '- [The link component](clients/link/README.md): the button with which a person connects an account',
    ...guides(root),
    ...tags.flatMap((tag) => [
      '',
      `## Operations: ${tag}`,
      '',
      ...operations.filter(({ operation }) => operation.tags[0] === tag).map((operation) => line(operation)),
    ]),
    '',
  ].join('\n');
}

function line({ id, method, path: route, operation }: DocumentedOperation): string {
  const scopes = operation['x-required-scopes'] ?? [];
  const needs = scopes.length > 0 ? ` Scopes: ${scopes.join(', ')}.` : '';
  const [description = ''] = (operation.description ?? '').split('\n');
  return `- \`${method} ${route}\` (\`${id}\`): ${operation.summary}. ${oneLine(description)}${needs}`;
}

/** Returns a Markdown link to each guide in `docs`, with the guide's heading as its text. */
function guides(root: string): string[] {
  const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => {
    const [heading = ''] = readFileSync(path.join(root, 'docs', name), 'utf8').split('\n');
    return `- [${heading.replace(/^# /, '')}](docs/${name})`;
  });
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
