import type { Policy, Proposal, Quotation } from '#domain';

/**
 * Status words of insurers, in English and Portuguese, and ours. An unknown word is stored as it is
 * and raises an alert.
 */
export const QUOTATION_WORDS: Readonly<Record<string, Exclude<Quotation['status'], 'draft'>>> = {
  Quoted: 'quoted',
  Issued: 'issued',
  Rejected: 'rejected',
  Expired: 'expired',
  Cancelled: 'cancelled',
  COTADA: 'quoted',
  EMITIDA: 'issued',
  RECUSADA: 'rejected',
  EXPIRADA: 'expired',
  CANCELADA: 'cancelled',
};

export const PROPOSAL_WORDS: Readonly<Record<string, Proposal['status']>> = {
  Submitted: 'submitted',
  UnderAnalysis: 'under_analysis',
  Accepted: 'accepted',
  Policy: 'policy',
  Rejected: 'rejected',
  Cancelled: 'cancelled',
  PROTOCOLADA: 'submitted',
  EM_ANALISE: 'under_analysis',
  ACEITA: 'accepted',
  APOLICE: 'policy',
  RECUSADA: 'rejected',
  CANCELADA: 'cancelled',
};

export const POLICY_WORDS: Readonly<Record<string, Policy['status']>> = {
  Active: 'active',
  Cancelled: 'cancelled',
  VIGENTE: 'active',
  CANCELADA: 'cancelled',
};

/** Translates a word. Undefined if it is unknown, also for names like `constructor`. */
export const translateWord = <Word>(
  table: Readonly<Record<string, Word>>,
  word: string,
): Word | undefined => (Object.hasOwn(table, word) ? table[word] : undefined);
