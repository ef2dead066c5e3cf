import { until, withTimeout } from './waiting.ts';

interface ReadingLimits {
  /** How long the next part of the answer may take, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads the values of NDJSON as they arrive. A caller that stops early ends the answer.
 *
 * @throws TimedOut if nothing came within the time
 * @throws SyntaxError if a line is not JSON
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { timeoutMs, signal }: ReadingLimits,
): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await withTimeout(timeoutMs, signal, (within) =>
        until(reader.read(), within),
      );
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
