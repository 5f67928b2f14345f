/** The response headers that several operations share: `components/headers` of the document. */
export const sharedHeaders = {
  RequestId: { description: 'Leads to the log lines of this request.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'Seconds to wait before sending the request again.',
    schema: { type: 'string' },
  },
  IdempotentReplayed: { description: '`true` when this response was sent before.', schema: { type: 'string' } },
} as const;

export function headerRef(name: keyof typeof sharedHeaders): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}
