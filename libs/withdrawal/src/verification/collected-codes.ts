import { Injectable } from '@nestjs/common';
import type { VerificationCodes } from '#exchange';
import { Secret, Vault, type SealContext, type SealedRecord } from '#platform/crypto';
import { codeFields, type CodeField } from './verification-report.js';
import type { VerificationSubject } from './verification-subject.js';

/** Seals the codes of one quote for storage until all required codes have arrived, and opens them. */
@Injectable()
export class CollectedCodes {
  constructor(private readonly vault: Vault) {}

  seal(subject: VerificationSubject, field: CodeField, code: Secret): Promise<SealedRecord> {
    return this.vault.seal(code.reveal(), contextOf(subject, field));
  }

  /** @throws CannotOpen, KeysUnavailable */
  async open(
    subject: VerificationSubject,
    sealed: Partial<Record<CodeField, SealedRecord>>,
  ): Promise<VerificationCodes> {
    const codes: VerificationCodes = {};
    for (const field of codeFields) {
      const record = sealed[field];
      if (record !== undefined) codes[field] = new Secret(await this.vault.open(record, contextOf(subject, field)));
    }
    return codes;
  }
}

function contextOf({ project, quote }: VerificationSubject, field: CodeField): SealContext {
  const { id: projectId, organizationId } = project;
  return { organizationId, projectId, walletId: quote.walletId, field: `code:${quote.id}:${field}` };
}
