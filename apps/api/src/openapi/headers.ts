/** The response headers that several operations share: `components/headers` of the document. */
export const sharedHeaders = {
  RequestId: { description: 'Id of this request, which its log lines contain.', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before sending the request again.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` when this is the stored response of an earlier request with the same key.',
    schema: { type: 'string' },
  },
} as const;

export function headerRef(name: keyof typeof sharedHeaders): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}
