import { isCode } from '../client/src/errors.ts';

/** The command cannot go on. The message, in Portuguese, is for the person who runs it. */
export class CommandFailure extends Error {
  override readonly name: string = 'CommandFailure';
}

/** The service failed for longer than the command waits. */
export class GaveUp extends CommandFailure {
  override readonly name = 'GaveUp';
}

/** The service did not take the request now, and may take it later. */
export class Temporary extends Error {
  override readonly name = 'Temporary';
  /** What the service asks for, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Faults of a connection that may be gone at the next try. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Faults of files, by their codes. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'não existe',
  EACCES: 'não pode ser aberto: falta permissão',
  EPERM: 'não pode ser aberto: falta permissão',
  EISDIR: 'é uma pasta',
  ENOSPC: 'não cabe no disco',
  EROFS: 'não pode ser gravado',
};

/** The code of Node.js: of the error, or of what caused it. */
const faultOf = (error: unknown): string => {
  const { code, cause } = error as NodeJS.ErrnoException;
  return cause instanceof Error ? faultOf(cause) : (code ?? '');
};

/** The fault of a connection as `Temporary`; undefined for any other fault. */
export const asTemporary = (error: unknown): Temporary | undefined => {
  if (error instanceof Temporary) return error;
  if (isCode(error, 'timed_out')) return new Temporary('O serviço parou de responder.');
  const code = faultOf(error);
  return PASSING_CODES.has(code) ? new Temporary(`A conexão falhou (${code}).`) : undefined;
};

/** Why the command ends, in one sentence or a few lines. */
export const explainFailure = (error: unknown): string => {
  if (error instanceof CommandFailure) return error.message;
  const { path, message } = error as NodeJS.ErrnoException;
  const code = faultOf(error);
  const fault = FILE_FAULTS[code];
  if (fault !== undefined && path !== undefined) return `O arquivo ${path} ${fault}.`;
  if (fault !== undefined) return `Um arquivo ${fault}.`;
  if (code === 'ENOTFOUND') return 'O endereço do serviço não existe: confira --url ou SALES_URL.';
  return `Falha inesperada: ${message}`;
};
