import { errorCodes, type ErrorCode, type ErrorCodeInfo } from '#platform/errors';

/** `docs/errors.md`: every code with its status and the condition that raises it. */
export function errorsDocument(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const groups = [...new Set(codes.map(groupOf))];
  return [
    '# Error codes',
    '',
    'Generated from the registry in `libs/platform/src/errors/error-codes.ts` by `npm run docs`; do not edit.',
    '',
    'Every response with a status of 400 or more has the form `{"error": "…", "type": "CODE", "requestId": "…"}`. Some',
    'also have `result` (details), `missing` (scopes) or `supportedExchanges`; `openapi.json` has the form of `result` for',
    'each code. With `Accept: application/problem+json` the',
    'same facts come as RFC 9457 problem details: `code` is the code, and `type` is the address of its description, which',
    'the API serves at `/docs/errors`. Clients decide by the code and the status, never by the text.',
    ...groups.flatMap((group) => ['', `## ${group}`, '', ...table(codes.filter((code) => groupOf(code) === group))]),
    '',
  ].join('\n');
}

function groupOf(code: ErrorCode): string {
  return code.slice(0, code.indexOf('_')).toLowerCase();
}

function table(codes: ErrorCode[]): string[] {
  return ['| code | status | when |', '|---|---|---|', ...codes.map((code) => row(code, errorCodes[code]))];
}

function row(code: ErrorCode, { status, otherStatuses = [], when }: ErrorCodeInfo): string {
  return `| <a id="${code}"></a>\`${code}\` | ${[status, ...otherStatuses].join(', ')} | ${when} |`;
}
