import { z } from 'zod';
import type { NoticeDeclaration } from '../../declaration/notice-declaration.js';

/** Maximum number of digests of API keys and tokens in a notice. */
const KEYS_MAX = 100;

const noticeSchema = z.object({
  type: z.enum(['deposit.updated', 'withdrawal.updated']),
  data: z.object({ keys: z.array(z.string().regex(/^[0-9a-f]{64}$/)).max(KEYS_MAX) }),
});

/** The webhooks of the sandbox exchange (docs/sandbox.md). */
export const sandboxNotices: NoticeDeclaration = {
  scheme: 'standard_webhooks',
  secret: ({ values }) => values.WEBHOOK_SECRET_SANDBOX,
  isSandbox: true,
  read: (body) => {
    const { success, data: notice } = noticeSchema.safeParse(body);
    if (!success) return null;
    const kind = notice.type === 'deposit.updated' ? 'deposit' : 'withdrawal';
    return { kind, keyDigests: notice.data.keys.map((digest) => Buffer.from(digest, 'hex')) };
  },
};
