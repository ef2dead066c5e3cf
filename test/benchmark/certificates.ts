import { cpus } from 'node:os';
import { renderDocument } from '../../adapters/documents/render-document.ts';
import { certificateOf } from '../support/certificates.ts';
import { median, spread } from './figures.ts';

/** Max median per certificate, without the first one. */
const CEILING_MS = 10;

const COUNT = 150;

/** Renders certificates one after the other on one thread. @returns whether the ceiling holds */
export const timeCertificates = async (say: (line: string) => void): Promise<boolean> => {
  const times: number[] = [];
  for (let count = 0; count <= COUNT; count += 1) {
    const insuredObject = {
      eventName: `Festival ${count}`,
      ticketNumber: `A-${count}`,
      eventDate: '2026-12-31',
    };
    const certificate = await certificateOf(
      { insuredObject },
      { name: `Conceição de Araújo ${count}` },
    );
    const started = performance.now();
    await renderDocument({ certificate, isTest: false });
    times.push(performance.now() - started);
  }
  const [first = 0, ...others] = times;
  say(`A certificate as a PDF, one after the other on one thread, on ${cpus()[0]?.model}.`);
  say(
    `each         ${spread(others, (value) => `${value.toFixed(1)} ms`)}, the first ${first.toFixed(0)} ms`,
  );
  const held = median(others) <= CEILING_MS;
  say(`ceiling      ${CEILING_MS} ms: ${held ? 'held' : 'MISSED'}`);
  return held;
};
